import { readProtobufResponse } from "@x/wire";
import { searchHashes, type FoundHash as WireHash } from "@x/wire/v5";
import { type CallContext, callsWith, checkAnswered } from "./calls.ts";
import type { FoundHash, SearchAnswer } from "./protocol.ts";

const call = callsWith(readProtobufResponse);

/** A full hash, without the threats that must not be used yet (`CANARY`). */
function foundHash({ fullHash, fullHashDetails }: WireHash, duration: number): FoundHash {
  const threats = fullHashDetails.flatMap(({ threatType, attributes }) =>
    threatType === null || attributes.includes("CANARY")
      ? []
      : [{ threatType, isForFrames: attributes.includes("FRAME_ONLY") }],
  );
  return { hash: fullHash.slice(), threats, duration };
}

/** Finds full hashes, on all lists of the server. */
export async function searchV5(
  hashPrefixes: readonly Uint8Array[],
  context: CallContext,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  const answer = await call(searchHashes, { hashPrefixes }, "search", context, signal);
  if (answer.fullHashes.length === 0) checkAnswered(answer.cacheDuration);
  const duration = answer.cacheDuration ?? 0;
  const hashes = answer.fullHashes.map((found) => foundHash(found, duration));
  return { hashes, duration, wait: null };
}
