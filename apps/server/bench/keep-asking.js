import { once } from "node:events";
import { connect } from "node:net";

const HEAD_END = Buffer.from("\r\n\r\n");
/** The first bytes of the expected answers: to most requests, and to a lookup of a listed URL. */
const EXPECTED = ["HTTP/1.1 200", "HTTP/1.1 403"].map((text) => Buffer.from(text));
const LENGTH = Buffer.from("Content-Length: ");
const LENGTH_LOWER = Buffer.from("content-length: ");
const CLOSE = Buffer.from("Connection: close\r\n");

/** Returns the length of an answer whose head is in `data`. */
function answerLength(data) {
  const isExpected = EXPECTED.some(
    (head) => data.compare(head, 0, head.length, 0, head.length) === 0,
  );
  if (!isExpected) throw new Error(data.toString("latin1"));
  const found = data.indexOf(LENGTH);
  let at = (found < 0 ? data.indexOf(LENGTH_LOWER) : found) + LENGTH.length;
  let length = 0;
  for (; data[at] >= 48; at++) length = length * 10 + data[at] - 48;
  return data.indexOf(HEAD_END, at) + HEAD_END.length + length;
}

/**
 * Keeps this many connections busy, each with one request at a time, until `stop` is called. `next` returns the bytes
 * of a request. An HTTP client of Node would take as much processor time as the server.
 */
export function keepAsking(port, connections, next) {
  let [answered, isOver] = [0, false];

  function useConnection() {
    const socket = connect(port, "127.0.0.1");
    socket.setNoDelay(true);
    let [missing, isLast] = [0, false];
    socket.on("data", (data) => {
      if (missing === 0) {
        missing = answerLength(data);
        isLast = data.includes(CLOSE);
      }
      missing -= data.length;
      if (missing > 0) return;
      answered++;
      if (isOver || isLast) socket.end();
      else socket.write(next());
    });
    socket.write(next());
    return once(socket, "close");
  }

  const ended = Array.from({ length: connections }, async () => {
    while (!isOver) await useConnection();
  });
  return {
    answered: () => answered,
    async stop() {
      isOver = true;
      await Promise.all(ended);
    },
  };
}
