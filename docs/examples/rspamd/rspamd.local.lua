-- Asks urlhash-server about the links in every message. Copy this file to /etc/rspamd/rspamd.local.lua.
--
-- URLHASH_LISTED      a link is on a list; the options say "LIST LINK"
-- URLHASH_UNREADABLE  the server cannot read a link as a URL; the options are the links
-- URLHASH_FAIL        some links were not looked up; the option says why
--
-- Settings go into /etc/rspamd/rspamd.conf.local, all of them optional:
--
--   urlhash {
--     server = "http://127.0.0.1:8080";
--     lists = "malware,social-engineering";  # default: all lists that the key opens
--     key = "...";                           # opens private lists
--     timeout = 2.0;                         # seconds
--   }

local http = require "rspamd_http"
local ucl = require "ucl"

local settings = { server = "http://127.0.0.1:8080", timeout = 2.0 }
for name, value in pairs(rspamd_config:get_all_opt("urlhash") or {}) do
  settings[name] = value
end

local MAX_URLS = 1000 -- the most that the server takes in one request
local MAX_SHOWN = (rspamd_config:get_all_opt("options") or {}).max_lua_urls or 1024

local address = settings.server .. "/lookup"
if settings.lists then
  address = address .. "?lists=" .. settings.lists
end
local headers = {}
if settings.key then
  headers["X-Goog-Api-Key"] = settings.key
end

-- The links as they are written in the email. JSON is UTF-8, so other bytes are escaped.
local function links_of(task)
  local links, seen = {}, {}
  local found = task:get_urls({ "http", "https", "ftp" }, true) or {}
  for _, url in ipairs(found) do
    local link = url:get_raw():gsub("[\128-\255]", function(byte)
      return string.format("%%%02X", byte:byte())
    end)
    if not seen[link] then
      seen[link] = true
      links[#links + 1] = link
    end
  end
  return links, #found
end

local function fail(task, why)
  task:insert_result("URLHASH_FAIL", 1.0, why)
end

-- The verdicts in an answer, or nil and why there are none.
local function verdicts_of(err, code, body, count)
  if err then return nil, err end
  if code ~= 200 then return nil, "status " .. code end
  local parser = ucl.parser()
  if not parser:parse_string(tostring(body)) then return nil, "the answer is not JSON" end
  local verdicts = parser:get_object().verdicts
  if type(verdicts) ~= "table" or #verdicts ~= count then return nil, "the answer is not complete" end
  return verdicts
end

local function look_up(task, links)
  local is_sent = http.request({
    task = task,
    url = address,
    method = "post",
    headers = headers,
    mime_type = "application/json",
    body = ucl.to_format({ urls = links }, "json-compact"),
    timeout = settings.timeout,
    keepalive = true,
    callback = function(err, code, body)
      local verdicts, why = verdicts_of(err, code, body, #links)
      if not verdicts then return fail(task, why) end
      for i, verdict in ipairs(verdicts) do
        if verdict.error and verdict.error.code == "list-unavailable" then
          fail(task, verdict.error.list .. " " .. links[i])
        elseif verdict.error then
          task:insert_result("URLHASH_UNREADABLE", 1.0, links[i])
        end
        for _, match in ipairs(verdict.matches or {}) do
          task:insert_result("URLHASH_LISTED", 1.0, match.list .. " " .. links[i])
        end
      end
    end,
  })
  -- If the request was not sent, rspamd never calls the callback.
  if not is_sent then fail(task, "the request cannot be sent") end
end

local function check(task)
  local links, found = links_of(task)
  -- If a message has more than MAX_SHOWN links, rspamd gives a rule only some of them, picked at random.
  local _, total = task:has_urls(false)
  if (total or 0) > MAX_SHOWN then
    fail(task, string.format("rspamd showed %d links of %d", found, total))
  end
  for first = 1, #links, MAX_URLS do
    local batch = {}
    for i = first, math.min(first + MAX_URLS - 1, #links) do
      batch[#batch + 1] = links[i]
    end
    look_up(task, batch)
  end
end

local id = rspamd_config:register_symbol({
  name = "URLHASH_LISTED",
  type = "normal",
  group = "urlhash",
  score = 9.0,
  one_shot = true,
  flags = "nostat",
  description = "A link is on one of our lists",
  augmentations = { string.format("timeout=%f", settings.timeout) },
  callback = check,
})
for name, symbol in pairs({
  URLHASH_UNREADABLE = { score = 0.0, description = "A link cannot be read as a URL" },
  -- This score marks mail whose links were not checked. With 0, such messages would pass as if they were clean.
  URLHASH_FAIL = { score = 6.0, description = "Not every link was looked up" },
}) do
  rspamd_config:register_symbol({
    name = name,
    type = "virtual",
    parent = id,
    group = "urlhash",
    score = symbol.score,
    one_shot = true,
    flags = "nostat",
    description = symbol.description,
  })
end
