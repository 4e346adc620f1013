-- Keeps what a game was folded to, with its version in the same value, unless it is kept to that
-- version or a later one; and puts the game in its indexes.
-- KEYS: a hash, then sorted sets to leave, then sorted sets to enter
-- ARGV: field, version, body, '1' to replace the same version, how many sets to leave, the score
--       and member in them
local held = redis.call('HGET', KEYS[1], ARGV[1])
if held then
  local version = tonumber(string.match(held, '^(%d+) '))
  local new = tonumber(ARGV[2])
  if version > new or (version == new and ARGV[4] ~= '1') then return 0 end
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
local leaving = tonumber(ARGV[5])
for n = 2, #KEYS do
  if n <= 1 + leaving then
    redis.call('ZREM', KEYS[n], ARGV[7])
  else
    redis.call('ZADD', KEYS[n], ARGV[6], ARGV[7])
  end
end
return 1
