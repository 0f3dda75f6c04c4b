import { createSocket } from "node:dgram";

const HEADER_BYTES = 12;
const TYPES = [1, 28];
const OK = 0;
const NO_SUCH_NAME = 3;
/** The status of answers for names of a zone that unbound refuses. */
export const REFUSED = 5;
const MOST_AT_ONCE = 200;
/** The address of every name, according to {@link answeringServer}. No source uses it. */
const OPEN = "127.0.0.2";

async function bound(address) {
  const socket = createSocket("udp4");
  socket.bind(0, address);
  await new Promise((resolve) => socket.once("listening", resolve));
  return socket;
}

function question(host, type) {
  const labels = host.split(".").flatMap((label) => {
    const bytes = Buffer.from(label);
    return [Buffer.of(bytes.length), bytes];
  });
  return Buffer.concat([...labels, Buffer.of(0, 0, type, 0, 1)]);
}

/** The index after a name in a message. A pointer ends it. */
function endOfName(message, start) {
  let at = start;
  while (message[at] !== 0) {
    if (message[at] >= 0xc0) return at + 2;
    at += message[at] + 1;
  }
  return at + 1;
}

/** The addresses in an answer. */
function addressesIn(message) {
  const found = [];
  let at = endOfName(message, HEADER_BYTES) + 4;
  for (let left = message.readUInt16BE(6); left > 0; left--) {
    at = endOfName(message, at);
    const type = message.readUInt16BE(at);
    const length = message.readUInt16BE(at + 8);
    const data = message.subarray(at + 10, at + 10 + length);
    if (type === 1) found.push(data.join("."));
    if (type === 28) found.push(data.toString("hex"));
    at += 10 + length;
  }
  return found;
}

const BLOCKING = /^(?:0\.0\.0\.0|127\..*|0{31}[01]|0{20}f{4}(?:0{8}|7f0{5}1))$/;
const isOpen = (address) => address === OPEN || !BLOCKING.test(address);

/**
 * A DNS client, perhaps at another address of this machine, by which a server tells its clients apart.
 *
 * @param blocking further statuses of answers that block a name.
 */
export async function blockedAt(port, address = "127.0.0.1", blocking = []) {
  const socket = await bound(address);
  const waiting = new Map();
  let next = 0;
  socket.on("message", (message) => waiting.get(message.readUInt16BE(0))?.(message));

  async function ask(host, type) {
    const id = next++ % 65_536;
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt16BE(id, 0);
    header.writeUInt16BE(0x0100, 2);
    header.writeUInt16BE(1, 4);
    const message = Buffer.concat([header, question(host, type)]);
    for (let attempt = 0; attempt < 4; attempt++) {
      const answer = await new Promise((resolve) => {
        const timer = setTimeout(resolve, 1000, null);
        waiting.set(id, (found) => {
          clearTimeout(timer);
          resolve(found);
        });
        socket.send(message, port, "127.0.0.1");
      });
      waiting.delete(id);
      if (answer !== null) return answer;
    }
    // The server drops the question, as with `rpz-drop`.
    return null;
  }

  async function isBlocked(host) {
    for (const type of TYPES) {
      const answer = await ask(host, type);
      if (answer === null) continue;
      // A truncated answer tells the client to ask again over TCP.
      if ((answer[2] & 2) !== 0 || addressesIn(answer).some(isOpen)) return false;
      const status = answer[3] & 15;
      if (![OK, NO_SUCH_NAME, ...blocking].includes(status))
        throw new Error(`status ${status} for ${host}`);
    }
    return true;
  }

  return {
    /** Which of the hosts have no address but those that lead nowhere, as a set. */
    async among(hosts) {
      const blocked = new Set();
      const left = [...hosts];
      const worker = async () => {
        for (let host = left.pop(); host !== undefined; host = left.pop()) {
          if (await isBlocked(host)) blocked.add(host);
        }
      };
      await Promise.all(Array.from({ length: MOST_AT_ONCE }, worker));
      return blocked;
    },
    close: () => new Promise((resolve) => socket.close(resolve)),
  };
}
