import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const HEAD_END = Buffer.from("\r\n\r\n");
let clients = 0;

/** A request from a client that has not asked before. */
function bytesOf({ method, target, headers = {}, body = "" }) {
  const address = `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients++ & 255}`;
  const all = {
    ...{ Host: "127.0.0.1", "X-Forwarded-For": address, "User-Agent": "load", Accept: "*/*" },
    ...headers,
    ...(body !== "" && { "Content-Length": Buffer.byteLength(body) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

function headOf(data) {
  const end = data.indexOf(HEAD_END);
  const head = data.toString("latin1", 0, end + HEAD_END.length);
  const status = Number(head.slice(9, 12));
  if (status !== 200 && status !== 503) throw new Error(head + data.toString("latin1", end));
  return { status, bytes: head.length, body: Number(/^content-length: (\d+)\r$/im.exec(head)[1]) };
}

/**
 * Sends requests of several kinds over this many connections, at a fixed rate for each kind, whether or not the answers
 * come. A request that finds no free connection waits for one, and its wait counts. Returns the milliseconds from the
 * time when each request was due until its answer was there, by kind; infinity for one that was refused with 503.
 *
 * `kinds` are `{ name, rate, requests }`. It ends after this many milliseconds, but not before `isOver` says so.
 * `isSame` says that answers must have the length in their request.
 */
export async function generate(
  port,
  kinds,
  { connections, milliseconds, isSame, isOver = () => true },
) {
  const waits = new Map(kinds.map(({ name }) => [name, []]));
  const [free, queue] = [[], []];
  let [open, failure, isEnding] = [0, null, false];
  const fail = (error) => {
    failure ??= error;
  };

  function send(connection, asked) {
    connection.asked = asked;
    connection.socket.write(bytesOf(asked.request));
  }
  function answered(connection) {
    const { name, due } = connection.asked;
    waits.get(name).push(connection.isRefused ? Infinity : performance.now() - due);
    connection.asked = null;
    if (queue.length > 0) send(connection, queue.shift());
    else free.push(connection);
  }
  function onData(connection, data) {
    if (connection.missing === 0) {
      const { status, bytes, body } = headOf(data);
      const { length } = connection.asked.request;
      connection.isRefused = status !== 200;
      if (isSame && status === 200 && body !== length)
        throw new Error(`${body} bytes instead of ${length}`);
      connection.missing = bytes + body;
    }
    connection.missing -= data.length;
    if (connection.missing === 0) answered(connection);
  }
  const sockets = [];
  async function openOne() {
    const socket = connect(port, "127.0.0.1").setNoDelay(true);
    const connection = { socket, missing: 0, asked: null, isRefused: false };
    sockets.push(socket);
    socket.on("error", fail).on("close", () => {
      open--;
      if (!isEnding) fail(new Error("a connection was closed"));
    });
    socket.on("data", (data) => {
      try {
        onData(connection, data);
      } catch (error) {
        fail(error);
      }
    });
    await once(socket, "connect");
    open++;
    free.push(connection);
  }
  // In quick succession, because servers close connections that ask for nothing.
  while (sockets.length < connections) {
    await Promise.all(Array.from({ length: Math.min(100, connections - sockets.length) }, openOne));
  }

  const start = performance.now();
  const sent = kinds.map(() => 0);
  let turn = 0;
  for (;;) {
    const now = performance.now() - start;
    if ((now >= milliseconds && isOver()) || failure !== null) break;
    for (const [i, { name, rate, requests }] of kinds.entries()) {
      for (; sent[i] < (now * rate) / 1000; sent[i]++) {
        const asked = { name, request: requests[turn++ % requests.length], due: performance.now() };
        // The one that has been free for the longest time, so that all connections are used.
        const connection = free.shift();
        if (connection === undefined) queue.push(asked);
        else send(connection, asked);
      }
    }
    await pause(1);
  }
  while (failure === null && free.length < connections) await pause(5);
  isEnding = true;
  for (const socket of sockets) socket.destroy();
  while (open > 0) await pause(5);
  if (failure !== null) throw failure;
  return waits;
}
