import { createSocket } from "node:dgram";

const HEADER_BYTES = 12;
const TYPE_A = 1;
const MAX_NAME_BYTES = 255;
const RECURSION_DESIRED = 0x0100;
const ANSWER = 0x8580;

async function bound() {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await new Promise((resolve) => socket.once("listening", resolve));
  return socket;
}

/** The question for the address of a host; `null` for a host that DNS cannot name. */
function questionFor(host) {
  const labels = host
    .replace(/\.$/, "")
    .split(".")
    .map((label) => Buffer.from(label, "latin1"));
  if (labels.some(({ length }) => length === 0 || length > 63)) return null;
  const parts = labels.flatMap((label) => [Buffer.of(label.length), label]);
  const name = Buffer.concat([...parts, Buffer.of(0)]);
  return name.length > MAX_NAME_BYTES ? null : Buffer.concat([name, Buffer.of(0, TYPE_A, 0, 1)]);
}

/** A DNS server that has an address for every name, so that only blocked names are unknown. */
export async function dnsServer() {
  const socket = await bound();
  socket.on("message", (message, { port, address }) => {
    const end = message.indexOf(0, HEADER_BYTES) + 5;
    const hasAddress = message.readUInt16BE(end - 4) === TYPE_A;
    const header = Buffer.alloc(HEADER_BYTES);
    message.copy(header, 0, 0, 2);
    header.writeUInt16BE(ANSWER, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(hasAddress ? 1 : 0, 6);
    // The name of the question, type A, class IN, 60 seconds, 127.0.0.2.
    const record = Buffer.from("c00c000100010000003c00047f000002", "hex");
    const answer = [header, message.subarray(HEADER_BYTES, end), ...(hasAddress ? [record] : [])];
    socket.send(Buffer.concat(answer), port, address);
  });
  return {
    port: socket.address().port,
    close: () => new Promise((resolve) => socket.close(resolve)),
  };
}

/** Asks a DNS server for the addresses of many hosts over one socket. */
export async function dnsClient(port) {
  const socket = await bound();
  const waiting = new Map();
  let next = 0;
  socket.on("message", (message) => waiting.get(message.readUInt16BE(0))?.(message[3] & 15));

  async function ask(question) {
    const id = next++ % 65_536;
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt16BE(id, 0);
    header.writeUInt16BE(RECURSION_DESIRED, 2);
    header.writeUInt16BE(1, 4);
    const message = Buffer.concat([header, question]);
    try {
      for (let attempt = 0; attempt < 5; attempt++) {
        const status = await new Promise((resolve) => {
          waiting.set(id, resolve);
          socket.send(message, port, "127.0.0.1");
          setTimeout(resolve, 1000, null);
        });
        if (status !== null) return status;
      }
    } finally {
      waiting.delete(id);
    }
    throw new Error("the DNS server does not answer");
  }

  return {
    /** The status for each host: 0 for an address, 3 for a name that does not exist; `null` if DNS cannot name it. */
    async statuses(hosts) {
      const statuses = [];
      let at = 0;
      const worker = async () => {
        while (at < hosts.length) {
          const i = at++;
          const question = questionFor(hosts[i]);
          statuses[i] = question === null ? null : await ask(question);
        }
      };
      await Promise.all(Array.from({ length: 50 }, worker));
      return statuses;
    },
    close: () => new Promise((resolve) => socket.close(resolve)),
  };
}
