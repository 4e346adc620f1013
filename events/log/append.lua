-- Appends all entries of a command after the expected head, or none of them.
-- Redis does not roll a script back: everything is checked first and written after.
-- KEYS: game stream, outbox, games index, due index, versions of what is due
-- ARGV: game, expected version, expected digest, now (ms), due ("bot,score"), count,
--       then public object, digest and secrets of each entry
local game = ARGV[1]
local expected = tonumber(ARGV[2])
-- A key of another type fails here, not between two writes.
redis.call('XLEN', KEYS[2])
redis.call('ZCARD', KEYS[3])
redis.call('ZCARD', KEYS[4])
redis.call('HLEN', KEYS[5])
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
local version, digest = 0, ''
if last[1] then
  version = tonumber(string.match(last[1][1], '^(%d+)-0$'))
  if version ~= redis.call('XLEN', KEYS[1]) then return {'broken', 0} end
  local fields = last[1][2]
  for i = 1, #fields, 2 do
    if fields[i] == 'd' then digest = fields[i + 1] end
  end
elseif redis.call('ZSCORE', KEYS[3], game) then
  return {'missing', 0}
end
if version ~= expected or digest ~= ARGV[3] then
  return {'conflict', version}
end
local count = tonumber(ARGV[6])
-- The first of these fails where the last entry was deleted: its id cannot come again.
for n = 1, count do
  local at = 6 + (n - 1) * 3
  local id = string.format('%d-0', expected + n)
  if ARGV[at + 3] == '' then
    redis.call('XADD', KEYS[1], id, 'e', ARGV[at + 1], 'd', ARGV[at + 2])
  else
    redis.call('XADD', KEYS[1], id, 'e', ARGV[at + 1], 'd', ARGV[at + 2], 's', ARGV[at + 3])
  end
end
local now = ARGV[4]
redis.call('XADD', KEYS[2], '*', 'game', game, 'first', string.format('%d', expected + 1),
  'last', string.format('%d', expected + count), 'due', ARGV[5])
if expected == 0 then redis.call('ZADD', KEYS[3], now, game) end
for _, work in ipairs({'bot', 'score'}) do
  local name = work .. ':' .. game
  if string.find(ARGV[5], work, 1, true) then
    redis.call('ZADD', KEYS[4], 'NX', now, name)
    redis.call('HSET', KEYS[5], name, string.format('%d', expected + count))
  elseif work == 'bot' and redis.call('ZREM', KEYS[4], name) == 1 then
    redis.call('HDEL', KEYS[5], name)
  end
end
return {'appended', expected + count}
