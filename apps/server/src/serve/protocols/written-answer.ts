import { createHash, type Hash } from "node:crypto";
import { type AnyMethod, type WireRequest, writeResponse, writeResponseParts } from "@x/wire";
import { searchHashes } from "@x/wire/v5";
import { bodyOf, type LargeBody } from "../http/large-answer.ts";
import type { Answered } from "./call.ts";
import { LARGE_VALUE_BYTES } from "./run-calls.ts";

export interface WrittenAnswer {
  readonly contentType: string;
  readonly body: Uint8Array | LargeBody;
}

/**
 * Returns a function that writes answers. v5 searches in protobuf that find nothing share one answer, unless the answer
 * has an expiry time of its own.
 */
export function answerWriter(): (
  request: WireRequest<AnyMethod>,
  answered: Answered<unknown>,
) => WrittenAnswer {
  let nothingFound: WrittenAnswer | undefined;
  return ({ method, answer }, { message, facts: { search, updates, expires } }) => {
    if (updates.length > 0) {
      const { contentType, parts } = writeResponseParts(method, message, answer, LARGE_VALUE_BYTES);
      return { contentType, body: bodyOf(parts) };
    }
    const isUsual = method === searchHashes && search?.found === 0 && expires === null;
    if (!isUsual || answer.format !== "protobuf") return writeResponse(method, message, answer);
    nothingFound ??= writeResponse(method, message, answer);
    return nothingFound;
  };
}

/**
 * The entity tag of a body. Large parts are not hashed, because the small parts contain the version and the checksum of
 * each list, which determine the large parts.
 */
export function etagOf(body: Uint8Array | LargeBody): string {
  const hash = createHash("sha256");
  if (body instanceof Uint8Array) return tagOf(hash.update(body));
  for (const part of body.parts) {
    if ("base64" in part) hash.update(`\n${part.base64.length}\n`);
    else if (part.length >= LARGE_VALUE_BYTES) hash.update(`\n${part.length}\n`);
    else hash.update(part);
  }
  return tagOf(hash);
}

function tagOf(hash: Hash): string {
  return `"${hash.digest("base64url").slice(0, 22)}"`;
}
