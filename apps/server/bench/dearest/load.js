// Sends requests from several connections, bounded in number and in time.
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { Answers } from "./answers.js";

/** How long connections wait for answers after they have stopped sending, in milliseconds. */
const PATIENCE = 8000;

/**
 * @param {object} options
 * @param {number} options.port
 * @param {(number: number) => Buffer} options.request Makes the request with a given number, counted from 0.
 * @param {number} [options.connections]
 * @param {number} [options.count] The most requests that are sent on all connections together.
 * @param {number} [options.seconds] For how long requests are sent.
 * @param {"all" | "nothing" | number} [options.reads] How much of an answer is read. A number is in bytes a second on
 *   each connection. Connections that do not read everything send one request each.
 * @param {number} [options.mostBytes] A connection is cut after this many bytes of answers.
 */
export async function load({
  port,
  request,
  connections = 4,
  count = Number.POSITIVE_INFINITY,
  seconds = 1,
  reads = "all",
  mostBytes = 2 ** 28,
}) {
  const start = performance.now();
  const totals = { requests: 0, answers: 0, sentBytes: 0, answerBytes: 0, statuses: new Map() };
  const isOver = () => performance.now() - start > seconds * 1000;
  const sockets = new Set();

  function next() {
    const bytes = request(totals.requests++);
    totals.sentBytes += bytes.length;
    return bytes;
  }

  function open() {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    sockets.add(socket);
    socket.on("error", () => {});
    return socket;
  }

  /** Sends one request after the other on a connection, until the time or the number of requests is used up. */
  function busy() {
    return new Promise((resolve) => {
      let socket;
      const begin = () => {
        if (isOver() || totals.requests >= count) return resolve();
        socket = open();
        const answers = new Answers();
        let before = 0;
        socket.on("data", (data) => {
          const ended = answers.push(data);
          totals.answerBytes += answers.bytes - before;
          before = answers.bytes;
          if (ended > 0) {
            totals.answers += ended;
            const { lastStatus } = answers;
            totals.statuses.set(lastStatus, (totals.statuses.get(lastStatus) ?? 0) + 1);
            if (isOver() || totals.requests >= count) return socket.destroy();
            socket.write(next());
          } else if (answers.bytes > mostBytes) socket.destroy();
        });
        socket.once("close", () => {
          sockets.delete(socket);
          begin();
        });
        socket.write(next());
      };
      begin();
    });
  }

  /** Sends one request on a connection, and reads the answer slowly or not at all. */
  async function idle() {
    const socket = open();
    socket.pause();
    socket.write(next());
    if (reads === "nothing") return;
    socket.on("data", (data) => {
      totals.answerBytes += data.length;
      socket.pause();
      setTimeout(() => socket.resume(), (data.length / reads) * 1000).unref();
    });
    socket.resume();
  }

  if (reads === "all") {
    const all = Promise.all(Array.from({ length: connections }, busy));
    const timer = setTimeout(
      () => {
        for (const socket of sockets) socket.destroy();
      },
      seconds * 1000 + PATIENCE,
    );
    await all;
    clearTimeout(timer);
  } else {
    for (let i = 0; i < Math.min(connections, count); i++) {
      await idle();
      if (i % 10 === 9) await wait(5);
    }
    await wait(seconds * 1000);
    for (const socket of sockets) socket.destroy();
  }
  return totals;
}
