import { prefixList } from "@x/prefix-list";
import { fullUpdate, type MessageInput } from "@x/wire";
import {
  type CompressionType,
  type ComputeThreatListDiffResponse,
  toThreatListDiff,
} from "@x/wire/web-risk";
import type { LoadedList } from "../../store/list-reader.ts";
import type { Update } from "../updates/decide-update.ts";

const EMPTY_LIST = prefixList([], { created: 0 });
const NO_TOKEN = new Uint8Array(0);

/** The full update of each list, which is the same for all clients that read the same compression. */
const fullUpdates = new WeakMap<LoadedList, Map<CompressionType, ComputeThreatListDiffResponse>>();

/** What the answer depends on besides the list. */
export interface DiffFacts {
  readonly supportedCompressions: readonly CompressionType[];
  /** When to ask again, in milliseconds since 1970-01-01T00:00Z. */
  readonly recommendedNextDiff: number;
}

function fullDiffOf(list: LoadedList, facts: DiffFacts): ComputeThreatListDiffResponse {
  const compression = facts.supportedCompressions.includes("RICE") ? "RICE" : "RAW";
  const messages = fullUpdates.get(list) ?? new Map<CompressionType, never>();
  fullUpdates.set(list, messages);
  let message = messages.get(compression);
  if (message === undefined) {
    message = toThreatListDiff(fullUpdate(list.prefixes), { ...facts, newVersionToken: NO_TOKEN });
    messages.set(compression, message);
  }
  return message;
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
      const { recommendedNextDiff } = facts;
      return { ...fullDiffOf(update.list, facts), recommendedNextDiff, newVersionToken };
    }
  }
}

/** What clients get for a list that is not in the store: an empty one, since many give up at an error. */
export function unknownThreatListDiff(
  facts: DiffFacts,
): MessageInput<ComputeThreatListDiffResponse> {
  return toThreatListDiff(fullUpdate(EMPTY_LIST), { ...facts, newVersionToken: NO_TOKEN });
}
