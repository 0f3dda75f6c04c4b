import type { Contents, StoreError } from "@x/list-store";
import { entriesIn, type NoDifference, PREFIX_BYTES } from "@x/list-store/serving";
import type { PrefixListDifference } from "@x/prefix-list";
import { hasName } from "@x/sha256-prefix/has-name";
import type { MethodCaller } from "../answering.ts";
import { HttpProblem } from "../http/reply.ts";
import { type AnyContents, countOf } from "../list-update.ts";
import type { ServedList, ServedLists } from "../lists/served-lists.ts";
import { type CodedUpdates, offeredPrefixes } from "./coded-updates.ts";

/** An update that brings a client to the newest version. */
export type Update = {
  readonly contents: AnyContents;
  /** The client's token after the update. */
  readonly token: Uint8Array;
} & (
  | { readonly kind: "none" }
  | { readonly kind: "partial"; readonly difference: PrefixListDifference; readonly from: string }
  | {
      readonly kind: "full";
      readonly reason: "new-client" | "repeated" | "object-missing" | NoDifference;
    }
);

/** A client's request for an update. */
export interface UpdateAsked {
  /** The length of the prefixes that the client wants, in bytes. */
  readonly prefixBytes: number;
  /** The token that the client has; empty when it has nothing. */
  readonly token: Uint8Array;
  readonly limits: UpdateLimits;
}

/** Decides how a client gets the newest version of a list. Throws if no version may be served. */
export async function decideUpdate(
  served: ServedList,
  { prefixBytes, token: given, limits }: UpdateAsked,
  { network, hasFailed }: MethodCaller,
  coded: CodedUpdates,
): Promise<Update> {
  const { contents: whole, version, differenceSince } = offeredPrefixes(served, prefixBytes, coded);
  const cut = cutFor(countOf(whole), limits);
  const token = Buffer.from(formatToken(served.name, prefixBytes, version, cut), "latin1");
  const about = { contents: cut === null ? whole : await coded.cut(whole, cut), token };
  if (given.length === 0) return { ...about, kind: "full", reason: "new-client" };
  const parsed = parseToken(given);
  if (parsed?.list !== served.name || parsed.prefixBytes !== prefixBytes) {
    return { ...about, kind: "full", reason: "unknown-token" };
  }
  if (isTokenOf(parsed, version) && parsed.cut === cut) return { ...about, kind: "none" };
  // Differences are between whole lists.
  if (cut !== null || parsed.cut !== null) return { ...about, kind: "full", reason: "limited" };
  const { since, checksum } = parsed;
  const { update, removals } = limits;
  const difference = await differenceSince(since, checksum, network(), removals).catch((error) => {
    // If an object of the store was deleted or is damaged, a full update still works.
    if (hasName<StoreError>(error, "StoreError")) return "object-missing" as const;
    throw error;
  });
  if (typeof difference === "string") return { ...about, kind: "full", reason: difference };
  if (update !== 0 && entriesIn(difference) > update) {
    return { ...about, kind: "full", reason: "limited" };
  }
  const from = Buffer.from(given).toString("latin1");
  if (hasFailed(from)) return { ...about, kind: "full", reason: "repeated" };
  return { ...about, kind: "partial", difference, from };
}

/** The most entries that a client accepts in one update and in its list; 0 for any number. */
export interface UpdateLimits {
  /**
   * `maxUpdateEntries` of Safe Browsing or `maxDiffEntries` of Web Risk. `decideUpdate` also applies this limit to
   * differences.
   */
  readonly update: number;
  /** `maxDatabaseEntries` of Safe Browsing and Web Risk. */
  readonly database: number;
  /** The most removals that the server writes for the client in one update; any number when it is absent. */
  readonly removals?: number;
}

export const NO_LIMITS: UpdateLimits = { update: 0, database: 0 };

/** How many removals an answer may have without compression, where each is written as a separate number. */
export const MAX_RAW_REMOVALS: number = 2 ** 17;

/** The maximum number of entries in a cut list. This limit keeps the time and memory for all cuts of a list small. */
const MAX_CUT = 2 ** 20;

/**
 * How many of the `count` prefixes of a list a client gets; `null` for all.
 *
 * The number is rounded down to a power of two, so only a few different lists are made and kept.
 */
function cutFor(count: number, { update, database }: UpdateLimits): number | null {
  const most = Math.min(update || Infinity, database || Infinity);
  if (count <= most) return null;
  return Math.min(MAX_CUT, 2 ** Math.floor(Math.log2(most)));
}

/**
 * Throws if a client asks for a list that is not in the store, or for longer prefixes that are no longer served,
 * although its token says that it got them from this server. An empty answer would make the client drop the list.
 */
export function checkNotGone(lists: ServedLists, token: Uint8Array): void {
  const parsed = parseToken(token);
  if (parsed === null) return;
  const { list, prefixBytes } = parsed;
  const served = lists.all().find(({ name }) => name === list);
  if (served !== undefined) {
    if (prefixBytes === PREFIX_BYTES) return;
    if (served.longer?.some((each) => each.prefixBytes === prefixBytes)) return;
    throw new HttpProblem(
      503,
      `This version has hash prefixes of ${prefixBytes} bytes, which this server no longer serves.`,
      { "Retry-After": "60" },
    );
  }
  throw new HttpProblem(503, "This version belongs to a list that is not in the store.", {
    "Retry-After": "60",
  });
}

/*
 * The token that names the version a client has: `<list>.<version>.<start of the checksum>`, and `.<count>` if the
 * client has only the first prefixes of the list. The length of longer prefixes comes after the list's name:
 * `malware.8b.42.…`. The token depends on the prefixes, not on the manifest, so it does not change when the list is
 * signed again. The checksum distinguishes stores with the same version numbers.
 */

const CHECKSUM_DIGITS = 16;
const MAX_TOKEN_BYTES = 128;

interface UpdateToken {
  readonly list: string;
  readonly prefixBytes: number;
  readonly since: number;
  readonly checksum: string;
  /** How many prefixes of the list the client has; `null` for all. */
  readonly cut: number | null;
}

function formatToken(
  list: string,
  prefixBytes: number,
  { since, checksum }: Pick<Contents, "since" | "checksum">,
  cut: number | null,
): string {
  const name = prefixBytes === PREFIX_BYTES ? list : `${list}.${prefixBytes}b`;
  const whole = `${name}.${since}.${checksum.slice(0, CHECKSUM_DIGITS)}`;
  return cut === null ? whole : `${whole}.${cut}`;
}

/** Parses a client's token. Returns `null` for anything that does not have the form of a token. */
export function parseToken(bytes: Uint8Array): UpdateToken | null {
  if (bytes.length > MAX_TOKEN_BYTES) return null;
  const text = Buffer.from(bytes).toString("latin1");
  const [, list, length, since, checksum, cut] =
    /^([a-z0-9-]+)(?:\.(8|16|32)b)?\.(\d{1,12})\.([0-9a-f]{16})(?:\.(\d{1,10}))?$/.exec(text) ?? [];
  if (list === undefined) return null;
  return {
    list,
    prefixBytes: length === undefined ? PREFIX_BYTES : Number(length),
    since: Number(since),
    checksum: checksum!,
    cut: cut === undefined ? null : Number(cut),
  };
}

/** Whether a token stands for these contents. */
function isTokenOf(
  { since, checksum }: UpdateToken,
  contents: Pick<Contents, "since" | "checksum">,
): boolean {
  return since === contents.since && contents.checksum.startsWith(checksum);
}
