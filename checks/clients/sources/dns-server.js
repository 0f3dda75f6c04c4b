import { createSocket } from "node:dgram";

const HEADER_BYTES = 12;
const TYPE_A = 1;
const ANSWER = 0x8580;

/** A DNS server that has an address for every name, so that only blocked names are unknown. */
export async function dnsServer() {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await new Promise((resolve) => socket.once("listening", resolve));
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
