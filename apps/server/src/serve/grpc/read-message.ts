import type { ServerHttp2Stream } from "node:http2";
import { growingBuffer } from "../http/growing-buffer.ts";
import { CODES, GrpcProblem } from "./grpc-problem.ts";

/** The bytes before a message: a flag for compression and the length of the message in four bytes. */
const HEAD_BYTES = 5;
/** The maximum length of a request message in bytes, which is also the limit for a URL over HTTP. */
const MAX_BYTES = 64 * 2 ** 10;

/** The bytes before an uncompressed message that has this many bytes. */
export function headOfMessage(bytes: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(bytes, 1);
  return head;
}

/** Everything that a client sends in a call, or only the beginning if all of it would be too long for one message. */
function readAll(stream: ServerHttp2Stream): Promise<Buffer> {
  if (stream.readableEnded) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve) => {
    const body = growingBuffer();
    const settle = () => resolve(body.bytes());
    stream
      .on("data", (piece: Buffer) => {
        if (body.bytes().length > HEAD_BYTES + MAX_BYTES) settle();
        else body.push(piece);
      })
      .once("end", settle)
      .once("close", settle);
  });
}

/** Reads the only message of a call. Throws a {@link GrpcProblem} if there is not exactly one valid message. */
export async function readMessage(stream: ServerHttp2Stream): Promise<Uint8Array> {
  const sent = await readAll(stream);
  if (sent.length === 0) throw new GrpcProblem(CODES.UNIMPLEMENTED, "The call has no message.");
  const length = sent.length < HEAD_BYTES ? Infinity : sent.readUInt32BE(1);
  if (length > MAX_BYTES && length < Infinity) {
    throw new GrpcProblem(CODES.RESOURCE_EXHAUSTED, "The message is too long.");
  }
  const message = sent.subarray(HEAD_BYTES, HEAD_BYTES + length);
  if (message.length < length) {
    throw new GrpcProblem(CODES.INVALID_ARGUMENT, "The message is cut off.");
  }
  if (sent[0] !== 0) {
    throw new GrpcProblem(CODES.INTERNAL, "The message is compressed, but no header says how.");
  }
  if (sent.length > HEAD_BYTES + length) {
    throw new GrpcProblem(CODES.UNIMPLEMENTED, "The call has more than one message.");
  }
  return message;
}
