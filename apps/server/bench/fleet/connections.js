/* Real connections to a real server, in its own process. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";

const HEAD_END = Buffer.from("\r\n\r\n");

export async function startedServer(store) {
  const child = fork(fileURLToPath(new URL("../measured-server.js", import.meta.url)), [store]);
  const [port] = await once(child, "message");
  return {
    port,
    /** The processor time that the server has used so far, including the time in the kernel, in seconds. */
    async processor() {
      child.send("");
      const [{ user, system }] = await once(child, "message");
      return (user + system) / 1e6;
    },
    async stop() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}

let clients = 0;

/** A request from a client that has not asked before. */
function requestFor(target) {
  const address = `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients++ & 255}`;
  return `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: ${address}\r\nUser-Agent: fleet\r\nAccept: */*\r\n\r\n`;
}

/** Returns the lengths of an answer and of its body. `data` must contain the whole head of the answer. */
function lengthsOf(data) {
  const end = data.indexOf(HEAD_END);
  const head = data.toString("latin1", 0, end + HEAD_END.length);
  if (!head.startsWith("HTTP/1.1 200")) throw new Error(head);
  const body = Number(/^content-length: (\d+)\r$/im.exec(head)[1]);
  return { total: head.length + body, body };
}

/**
 * Requests the targets in turn on several connections, as fast as they are answered. Returns the requests per second,
 * and for each request the processor time of the server in seconds and the bytes on the wire. Each of
 * the `targets` is `{ target, body }`, and an answer whose body has another length is an error.
 */
export async function ask(server, targets, { connections, seconds }) {
  const counts = { answers: 0, bytes: 0 };
  let [isOver, next, failure] = [false, 0, null];
  const ended = Array.from({ length: connections }, async () => {
    const socket = connect(server.port, "127.0.0.1").setNoDelay(true);
    let [missing, total] = [0, 0];
    let expected;
    const send = () => {
      expected = targets[next++ % targets.length];
      socket.write(requestFor(expected.target));
    };
    socket.on("data", (data) => {
      if (missing === 0) {
        const lengths = lengthsOf(data);
        if (lengths.body !== expected.body.length) {
          failure ??= new Error(`${lengths.body} bytes instead of ${expected.body.length}`);
        }
        missing = lengths.total;
        total = missing;
      }
      missing -= data.length;
      if (missing > 0) return;
      counts.answers++;
      counts.bytes += total;
      if (isOver) socket.end();
      else send();
    });
    socket.on("error", (error) => {
      failure ??= error;
    });
    await once(socket, "connect");
    send();
    await once(socket, "close");
  });
  // Measuring starts after as many answers as there are connections.
  while (counts.answers < connections && failure === null) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const before = { ...counts, processor: await server.processor(), time: performance.now() };
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const answers = counts.answers - before.answers;
  const result = {
    answers,
    rate: (answers * 1000) / (performance.now() - before.time),
    bytes: (counts.bytes - before.bytes) / answers,
    processor: ((await server.processor()) - before.processor) / answers,
  };
  isOver = true;
  await Promise.all(ended);
  if (failure !== null) throw failure;
  return result;
}
