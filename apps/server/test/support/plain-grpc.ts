import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type OutgoingHttpHeaders,
  type SecureClientSessionOptions,
} from "node:http2";

/** The answer to one call. */
export interface GrpcAnswer {
  /** The HTTP status, or 0 if the stream was reset before it. */
  readonly status: number;
  /** The gRPC status code, 0 for success, or `null` if there is none. */
  readonly code: number | null;
  readonly message: string;
  /** The message without its frame. Empty if there is none. */
  readonly body: Uint8Array;
  /** The HTTP/2 error code with which the stream ended: 0 for no error, 8 if it was cancelled. */
  readonly reset: number;
}

/** A plain gRPC client that can also send requests that no real client sends. */
export interface PlainGrpc {
  readonly session: ClientHttp2Session;
  call(
    method: string,
    message: Uint8Array,
    headers?: Readonly<Record<string, string>>,
  ): Promise<GrpcAnswer>;
  /** Sends pieces of a body unchanged. Without `ends`, the request never ends. */
  send(
    headers: OutgoingHttpHeaders,
    pieces: readonly Uint8Array[],
    ends?: boolean,
  ): Promise<GrpcAnswer>;
  close(): void;
}

export const PATH = "/google.cloud.webrisk.v1.WebRiskService/";
export const GRPC_HEADERS = {
  ":method": "POST",
  "content-type": "application/grpc",
  te: "trailers",
};

/** Puts its length and a byte that says whether it is compressed before a message. */
export function frame(message: Uint8Array, flag = 0, length = message.length): Uint8Array {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, message]);
}

function answerOf(stream: ClientHttp2Stream): Promise<GrpcAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let headers: Readonly<Record<string, unknown>> = {};
    stream.on("response", (received, flags) => {
      headers = received;
      // A status is valid only at the end of the stream.
      if ((flags & constants.NGHTTP2_FLAG_END_STREAM) === 0) delete received["grpc-status"];
    });
    stream.on("trailers", (received) => {
      headers = { ...headers, ...received };
    });
    stream.on("data", (chunk) => chunks.push(chunk));
    stream.on("error", () => {});
    stream.on("close", () => {
      const code = headers["grpc-status"];
      resolve({
        status: Number(headers[":status"] ?? 0),
        code: code === undefined ? null : Number(code),
        message: decodeURIComponent(String(headers["grpc-message"] ?? "")),
        body: Uint8Array.from(Buffer.concat(chunks).subarray(5)),
        reset: stream.rstCode ?? 0,
      });
    });
  });
}

export function plainGrpc(origin: string, options: SecureClientSessionOptions = {}): PlainGrpc {
  const session = connect(origin, options);
  session.on("error", () => {});
  const send: PlainGrpc["send"] = (headers, pieces, ends = true) => {
    const stream = session.request(headers);
    for (const piece of pieces) stream.write(piece);
    if (ends) stream.end();
    return answerOf(stream);
  };
  return {
    session,
    send,
    call: (method, message, headers = {}) =>
      send({ ...GRPC_HEADERS, ...headers, ":path": PATH + method }, [frame(message)]),
    close: () => session.close(),
  };
}
