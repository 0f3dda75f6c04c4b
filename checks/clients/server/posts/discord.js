import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { WebSocketServer } from "ws";
import { listen } from "../support/listen.js";

const BOT = { id: "1001", username: "bot", discriminator: "0", bot: true };
const AUTHOR = { id: "1002", username: "somebody", discriminator: "0" };
const GUILD = "2001";
const CHANNEL = "3001";

/** A stand-in for Discord: the gateway over WebSocket, and the calls that the bot makes. */
export async function discord() {
  const calls = [];
  let nextId = 4001;
  let sequence = 0;
  let socket = null;
  /** The ID of the message that the bot must not delete. */
  let guarded = null;

  const send = (message) => socket.send(JSON.stringify(message));
  const dispatch = (t, d) => send({ op: 0, t, s: ++sequence, d });
  const message = (author, content, more) => ({
    ...{ id: String(nextId++), channel_id: CHANNEL, guild_id: GUILD, author, content, type: 0 },
    ...{ timestamp: new Date().toISOString(), edited_timestamp: null, tts: false, pinned: false },
    ...{ mentions: [], mention_roles: [], attachments: [], embeds: [], flags: 0, ...more },
  });

  const server = createServer(async (request, response) => {
    const { method, url } = request;
    const answer = (body) =>
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    const [, path] = /^\/v10(\/.*)/.exec(url);
    if (path === "/gateway/bot") {
      const limit = { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 };
      answer({ url: `ws://127.0.0.1:${port}`, shards: 1, session_start_limit: limit });
    } else if (method === "DELETE" && path.endsWith(`/${guarded}`)) {
      response.writeHead(403, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ code: 50013, message: "Missing Permissions" }));
    } else if (method === "DELETE") {
      calls.push({ deleted: path.replace(`/channels/${CHANNEL}/messages/`, "") });
      response.writeHead(204).end();
    } else {
      const body = await json(request);
      calls.push({ sent: body.content, replyTo: body.message_reference?.message_id ?? null });
      const sent = message(BOT, body.content);
      answer(sent);
      // Discord sends each message to everybody in the channel, including its author.
      dispatch("MESSAGE_CREATE", sent);
    }
  });
  const { origin, port, close } = await listen(server);

  const ready = new Promise((resolve) => {
    new WebSocketServer({ server }).on("connection", (connection) => {
      socket = connection;
      socket.on("message", (data) => {
        const { op } = JSON.parse(data);
        if (op === 1) send({ op: 11 });
        if (op !== 2) return;
        const application = { id: BOT.id, flags: 0 };
        const guilds = [{ id: GUILD, unavailable: true }];
        const session = { session_id: "1", resume_gateway_url: `ws://127.0.0.1:${port}` };
        dispatch("READY", { v: 10, user: BOT, guilds, application, ...session });
        const channel = { id: CHANNEL, guild_id: GUILD, type: 0, name: "general", position: 0 };
        dispatch("GUILD_CREATE", {
          ...{ id: GUILD, name: "guild", owner_id: AUTHOR.id, member_count: 2, features: [] },
          ...{ channels: [channel], members: [], roles: [], emojis: [], stickers: [] },
          ...{ threads: [], presences: [], voice_states: [] },
        });
        resolve();
      });
      send({ op: 10, d: { heartbeat_interval: 45_000 } });
    });
  });

  function written(it) {
    dispatch("MESSAGE_CREATE", it);
    return it.id;
  }

  return {
    api: origin,
    calls,
    author: AUTHOR.id,
    /** Resolves once a bot is in the channel. */
    ready,
    /** Writes a message as another user, and returns its ID. */
    write: (content) => written(message(AUTHOR, content)),
    /** Writes a message that the bot has no permission to delete. */
    writeGuarded(content) {
      const it = message(AUTHOR, content);
      guarded = it.id;
      return written(it);
    },
    /** Forwards a message as another user, and returns the ID of the new one. */
    forward(content) {
      const reference = { type: 1, message_id: "1", channel_id: CHANNEL, guild_id: GUILD };
      const snapshots = [{ message: { content } }];
      const more = { message_reference: reference, message_snapshots: snapshots };
      return written(message(AUTHOR, "", more));
    },
    /** Edits, as another user, a message that is older than the bot's session, and returns its ID. */
    edit(content) {
      const edited = message(AUTHOR, content, { edited_timestamp: new Date().toISOString() });
      dispatch("MESSAGE_UPDATE", edited);
      return edited.id;
    },
    close() {
      socket?.terminate();
      return close();
    },
  };
}
