import { findThreatList, readResponse, WireError, writeRequest } from "@x/wire";
import {
  batchGetHashLists,
  type HashList,
  hashListsInOrder,
  searchHashes,
  type FoundHash as WireHash,
} from "@x/wire/v5";
import { ClientError } from "../error.ts";
import type { FoundHash, KeptList, ListOutcome, Protocol, ProtocolContext } from "./protocol.ts";

/** Reads an answer; whatever is wrong with it, it is not an answer of the protocol. */
function reading<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new ClientError("answer-wrong", `The server's answer cannot be used. ${error.message}`, {
      cause: error,
    });
  }
}

async function outcomeOf(
  kept: KeptList,
  message: HashList,
  { apply, now }: ProtocolContext,
): Promise<ListOutcome> {
  const { name, list: before } = kept;
  const token = message.version.slice();
  try {
    const job = { protocol: "v5", name, before, message, created: now() } as const;
    const { list, ...counts } = await apply(job);
    if (list === null) return { kind: "unchanged", name, token };
    return { kind: "new", name, token, list, ...counts };
  } catch (cause) {
    const message = `The update of the list ${name} cannot be used. ${(cause as Error).message}`;
    return {
      kind: "damaged",
      name,
      error: new ClientError("list-damaged", message, { list: name, cause }),
    };
  }
}

/** Threats with an attribute that says not to use them yet are left out. */
function foundHash({ fullHash, fullHashDetails }: WireHash, duration: number): FoundHash {
  const threats = fullHashDetails.flatMap(({ threatType, attributes }) =>
    threatType === null || attributes.includes("CANARY")
      ? []
      : [{ threatType, isForFrames: attributes.includes("FRAME_ONLY") }],
  );
  return { hash: fullHash.slice(), threats, duration };
}

/** Safe Browsing v5. */
export const V5: Protocol = {
  maxPrefixes: 1000,
  prefixBytes: 4,

  describe(name) {
    const row = findThreatList({ v5: name });
    const threatType = row?.v5ThreatType ?? null;
    if (row?.v5LikelySafeType === "GENERAL_BROWSING") return { use: "likely-safe", threatType };
    // Other lists of safe things, such as downloads, say nothing about URLs.
    const isOfNoUse = row !== null && row !== undefined && row.v5LikelySafeType !== null;
    return { use: isOfNoUse ? "none" : "threats", threatType };
  },

  async update(kept, context, signal) {
    const names = kept.map(({ name }) => name);
    const { maxUpdateEntries = 0, maxDatabaseEntries = 0 } = context.sizeConstraints ?? {};
    const request = writeRequest(
      batchGetHashLists,
      {
        names,
        // Tokens do not belong to the name at the same place, so those that are missing are left out.
        version: kept.flatMap(({ token }) => (token === null ? [] : [token])),
        sizeConstraints:
          context.sizeConstraints === null ? null : { maxUpdateEntries, maxDatabaseEntries },
      },
      context.key === null ? {} : { key: context.key },
    );
    const { bytes, contentType } = await context.send(request, "update", signal);
    const messages = reading(() =>
      hashListsInOrder(
        names,
        readResponse(batchGetHashLists, bytes, contentType, { maxBytes: Infinity }),
      ),
    );
    const outcomes: ListOutcome[] = [];
    for (const [i, message] of messages.entries()) {
      signal.throwIfAborted();
      outcomes.push(await outcomeOf(kept[i]!, message, context));
    }
    const waits = messages.flatMap(({ minimumWaitDuration }) => minimumWaitDuration ?? []);
    return { outcomes, wait: waits.length === 0 ? null : Math.min(...waits) };
  },

  async search(prefixes, context, signal) {
    const request = writeRequest(
      searchHashes,
      { hashPrefixes: prefixes },
      context.key === null ? {} : { key: context.key },
    );
    const { bytes, contentType } = await context.send(request, "search", signal);
    const answer = reading(() =>
      readResponse(searchHashes, bytes, contentType, { maxBytes: Infinity }),
    );
    const duration = answer.cacheDuration ?? 0;
    return { hashes: answer.fullHashes.map((found) => foundHash(found, duration)), duration };
  },
};
