-- Ends a token that is good: for the successor that it names, or for none. Once ended, it stays so.
-- KEYS: the token   ARGV: the hash of a successor, or nothing
-- Returns whether it has ended for that, now or before, and the successor it had.
local ended = redis.call('HGET', KEYS[1], 'ended')
local successor = redis.call('HGET', KEYS[1], 'successor')
if ended then return {ended == ARGV[1] and 1 or 0, successor} end
if redis.call('HEXISTS', KEYS[1], 'player') == 0 then return {0, false} end
if ARGV[1] ~= '' and ARGV[1] ~= successor then return {0, false} end
redis.call('HSET', KEYS[1], 'ended', ARGV[1])
redis.call('HDEL', KEYS[1], 'player', 'scopes', 'salt', 'successor_scopes', 'replaces')
return {1, successor}
