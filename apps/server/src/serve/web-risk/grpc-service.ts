import {
  create,
  createFileRegistry,
  type DescMethodUnary,
  fromBinary,
  toBinary,
} from "@bufbuild/protobuf";
import {
  type Empty,
  EmptySchema,
  FileDescriptorProtoSchema,
  file_google_protobuf_empty,
} from "@bufbuild/protobuf/wkt";
import {
  Code,
  ConnectError,
  type ContextKey,
  createContextKey,
  createContextValues,
  type HandlerContext,
} from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { computeThreatListDiff, searchHashes, searchUris } from "@x/wire/web-risk";
import type { Reply } from "../http/reply.ts";

/*
 * A gRPC call becomes a GET with the whole message in the parameter `$req`, a form that browsers use, too. `alt=proto`
 * asks for the answer in protobuf. So gRPC and REST share their answers, API keys, caches and limits.
 *
 * The library wants to read and write the messages itself. It is told that all of them are `google.protobuf.Empty`,
 * and keeps the bytes of all fields, since it knows none of them. @x/wire reads and writes those bytes.
 */

const PACKAGE = "google.cloud.webrisk.v1";
const SERVICE = "WebRiskService";

/** The methods that are served, by their names in gRPC. */
const METHODS = {
  ComputeThreatListDiff: computeThreatListDiff,
  SearchHashes: searchHashes,
  SearchUris: searchUris,
} as const;

/** The longest message of a request in bytes: as long as a URL may be over HTTP. */
const MAX_REQUEST_BYTES = 64 * 2 ** 10;

/** The errors of gRPC, by the HTTP status that REST clients get. */
const CODES: Readonly<Record<number, Code>> = {
  400: Code.InvalidArgument,
  403: Code.PermissionDenied,
  413: Code.ResourceExhausted,
  429: Code.ResourceExhausted,
  503: Code.Unavailable,
};

type NodeRequest = Parameters<ReturnType<typeof connectNodeAdapter>>[0];
type UnaryMethod = DescMethodUnary<typeof EmptySchema, typeof EmptySchema>;

function describeMethods(): UnaryMethod[] {
  const type = ".google.protobuf.Empty";
  const file = create(FileDescriptorProtoSchema, {
    name: "webrisk.proto",
    syntax: "proto3",
    package: PACKAGE,
    dependency: ["google/protobuf/empty.proto"],
    service: [
      {
        name: SERVICE,
        method: Object.keys(METHODS).map((name) => ({ name, inputType: type, outputType: type })),
      },
    ],
  });
  const types = createFileRegistry(file, () => file_google_protobuf_empty);
  return types.getService(`${PACKAGE}.${SERVICE}`)!.methods as UnaryMethod[];
}

/** The HTTP/2 request of a call. */
const REQUEST: ContextKey<NodeRequest | null> = createContextKey(null);

/** Answers calls over gRPC. `answer` gets the path and query of a GET, its API key, and the HTTP/2 request. */
export function createGrpcListener(
  answer: (target: string, key: string | null, request: NodeRequest) => Promise<Reply>,
): ReturnType<typeof connectNodeAdapter> {
  async function answerCall(
    { path }: { readonly path: string },
    message: Empty,
    { signal, values, requestHeader }: HandlerContext,
  ): Promise<Empty> {
    const whole = Buffer.from(toBinary(EmptySchema, message)).toString("base64url");
    const target = `${path}?alt=proto&$req=${whole}`;
    const key = requestHeader.get("x-goog-api-key");
    const { status, body } = await answer(target, key, values.get(REQUEST)!);
    // The deadline that the client gave has passed.
    signal.throwIfAborted();
    if (status === 200) return fromBinary(EmptySchema, body);
    const { error } = JSON.parse(Buffer.from(body).toString());
    throw new ConnectError(error.message, CODES[status] ?? Code.Internal);
  }

  return connectNodeAdapter({
    connect: false,
    grpcWeb: false,
    acceptCompression: [],
    readMaxBytes: MAX_REQUEST_BYTES,
    contextValues: (request) => createContextValues().set(REQUEST, request),
    routes(router) {
      for (const method of describeMethods()) {
        const rest = METHODS[method.name as keyof typeof METHODS];
        router.rpc(method, (message, context) => answerCall(rest, message, context));
      }
    },
    fallback(_, response) {
      response.writeHead(200, { "content-type": "application/grpc" });
      response.addTrailers({
        "grpc-status": String(Code.Unimplemented),
        "grpc-message": "The server does not have this method.",
      });
      response.end();
    },
  });
}
