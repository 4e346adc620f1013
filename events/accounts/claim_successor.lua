-- Names the successor of a token that is good; one with the same scopes keeps the place.
-- KEYS: the token   ARGV: scopes, salt and hash of the successor
-- Returns its salt and the hash of the successor that lost the place, or nothing.
if redis.call('HEXISTS', KEYS[1], 'player') == 0 then return false end
local named = redis.call('HMGET', KEYS[1], 'successor_scopes', 'salt', 'successor')
if named[1] == ARGV[1] then return {named[2], false} end
redis.call('HSET', KEYS[1], 'successor_scopes', ARGV[1], 'salt', ARGV[2], 'successor', ARGV[3])
return {ARGV[2], named[3]}
