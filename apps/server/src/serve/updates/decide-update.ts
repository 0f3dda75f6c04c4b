import { randomInt } from "node:crypto";
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

const HALF_A_DAY = 12 * 60 * 60 * 1000;
const MAX_REMEMBERED = 100_000;

/** Remembers which tokens each client was given, and from which tokens it was sent differences. */
interface FailedUpdates {
  /** A key for a client and a token, made by hashing both. */
  keyOf(client: string, token: string): number;
  /**
   * Whether a difference from the token of this key seems to have failed. If so, the next request is not counted as a
   * failure: after its full update, the client may ask again from the same token.
   */
  hasFailed(key: number): boolean;
  /**
   * Call this when the client is given the token, but not when a full update after a failed difference gives it again.
   */
  rememberGiven(key: number): void;
  /** Call this when a difference from the token is sent to the client. */
  rememberSent(key: number): void;
}

/** The facts that are remembered about a client and a token. */
interface Memory {
  /** How many more differences the client may get from the token; {@link MAX_LEFT} stands for any number. */
  readonly left: number;
  /** When the client got the first difference, in milliseconds since 1970; `null` if it has not got one yet. */
  readonly since: number | null;
}

const MAX_LEFT = 2 ** 16 - 1;

/**
 * A client whose update failed asks again from the same token. The client then gets a full update, because the same
 * difference would probably fail again.
 *
 * Many identical browsers behind one address look like one client. So a client may ask from a token as often as it was
 * given that token. Some browsers never ask from a token that they were given, and a browser whose update fails could
 * ask in their place. So every request later than one and a half update intervals after the first difference counts as
 * a failure. By then, all running browsers have asked, and a browser whose update failed has asked at most twice more.
 * When nothing is known about a token, for instance after a restart, only the time counts.
 *
 * A rule without memory would be to send the whole list now and then to anyone whose token is old. But after a night,
 * every token is old: with one whole list in eight, a client that asks once a day would download seven times as much.
 *
 * Clients that look the same can cause unnecessary full updates for each other, but never wrong ones. Only hashes are
 * kept, for a day at most. If two hashes are equal by chance, the cost is a few full updates.
 */
export function failedUpdates(wait: number, now: () => number = Date.now): FailedUpdates {
  const seeds = [randomInt(2 ** 32), randomInt(2 ** 32)] as const;
  // There are two halves. The older half is dropped when the younger half is full or half a day old.
  let young = new Map<number, Memory>();
  let old: ReadonlyMap<number, Memory> = new Map();
  let youngSince = now();
  function recall(key: number): Memory | null {
    const age = now() - youngSince;
    if (young.size >= MAX_REMEMBERED / 2 || age >= HALF_A_DAY) {
      old = age >= 2 * HALF_A_DAY ? new Map() : young;
      young = new Map();
      youngSince = now();
    }
    return young.get(key) ?? old.get(key) ?? null;
  }
  return {
    keyOf: (client, token) => longHashText(`${client}\n${token}`, seeds),
    hasFailed(key) {
      const memory = recall(key);
      if (memory === null || memory.since === null) return false;
      const isLate = now() - memory.since > 1.5 * wait;
      if (memory.left > 0 && !isLate) return false;
      young.set(key, { left: 1, since: null });
      return true;
    },
    rememberGiven(key) {
      const { left, since } = recall(key) ?? { left: 0, since: null };
      young.set(key, { left: Math.min(left + 1, MAX_LEFT), since });
    },
    rememberSent(key) {
      const { left, since } = recall(key) ?? { left: MAX_LEFT, since: null };
      const leftAfter = left === MAX_LEFT ? left : Math.max(left - 1, 0);
      young.set(key, { left: leftAfter, since: since ?? now() });
    },
  };
}

const PRIME = 0x01000193;

/** A hash of 53 bits, the most that a number holds exactly, from two FNV-1a hashes with 32-bit seeds. */
function longHashText(text: string, [one, other]: readonly [number, number]): number {
  let [high, low] = [one, other];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, PRIME);
    low = Math.imul(low ^ unit, PRIME);
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11);
}
