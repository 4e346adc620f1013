-- Strikes work off, unless an append after the version that was read has made it due again.
-- KEYS: due index, versions of what is due
-- ARGV: "score:<game>", version
if (tonumber(redis.call('HGET', KEYS[2], ARGV[1])) or 0) <= tonumber(ARGV[2]) then
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('HDEL', KEYS[2], ARGV[1])
end
