-- Keeps the record of a token, unless it is there or has ended.
-- KEYS: the token   ARGV: fields and values
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1
