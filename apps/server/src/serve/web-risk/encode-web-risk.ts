import type { MessageInput } from "@x/wire";
import {
  type CompressionType,
  type ComputeThreatListDiffResponse,
  toThreatListDiff,
} from "@x/wire/web-risk";
import type { Update } from "../updates/decide-update.ts";
import { EMPTY_UPDATE, fullUpdates } from "../updates/full-updates.ts";

const NO_TOKEN = new Uint8Array(0);

/** Full updates by compression. */
const fullDiffOf = fullUpdates((update, compression: CompressionType) =>
  toThreatListDiff(update, {
    supportedCompressions: [compression],
    recommendedNextDiff: 0,
    newVersionToken: NO_TOKEN,
  }),
);

/** What the answer depends on besides the list. */
export interface DiffFacts {
  readonly supportedCompressions: readonly CompressionType[];
  /** When to ask again, in milliseconds since 1970-01-01T00:00Z. */
  readonly recommendedNextDiff: number;
}

/** The message of an update. */
export function threatListDiffOf(
  update: Update,
  facts: DiffFacts,
): MessageInput<ComputeThreatListDiffResponse> {
  const newVersionToken = update.token;
  switch (update.kind) {
    case "none": {
      const { checksum } = update.list.prefixes;
      const unchanged = { full: false, removals: new Uint32Array(0), additions: [], checksum };
      return toThreatListDiff(unchanged, { ...facts, newVersionToken });
    }
    case "partial":
      return toThreatListDiff({ full: false, ...update.difference }, { ...facts, newVersionToken });
    case "full": {
      const { supportedCompressions, recommendedNextDiff } = facts;
      const compression = supportedCompressions.includes("RICE") ? "RICE" : "RAW";
      return { ...fullDiffOf(update.list, compression), recommendedNextDiff, newVersionToken };
    }
  }
}

/** Clients get an empty list in place of one that is not in the store, because many of them give up after an error. */
export function unknownThreatListDiff(
  facts: DiffFacts,
): MessageInput<ComputeThreatListDiffResponse> {
  return toThreatListDiff(EMPTY_UPDATE, { ...facts, newVersionToken: NO_TOKEN });
}
