import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Change, DifferenceOptions, OpenList } from "@x/list-store/serving";
import { compareBytes, wordAt } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import type { ThreatList } from "@x/wire";
import type { LongerContents } from "../list-update.ts";
import type { Aside } from "../worker-thread/run-job.ts";
import { type ListHistory, listHistory } from "./list-history.ts";
import { type LongerList, type LongerVersion, NO_PROBLEM, type Problem } from "./served-lists.ts";
import { v5NameOf } from "./threat-rows.ts";

/*
 * The longer prefixes of a list are made from its full hashes, which are on this machine before a version is served. So
 * longer prefixes need nothing more from the store, and always belong to the version that is served.
 */

const NONE = new Uint8Array(0);
const NO_CHANGE: Change<Uint8Array> = { removed: NONE, added: NONE };
const WRONG: Problem = {
  problem: "Its full hashes do not belong to its hash prefixes",
  detail: null,
};

/**
 * Creates the lists with the longer prefixes of a list, one for each length that has a v5 name. The lists have no
 * version yet.
 */
export function newLongerLists(row: ThreatList, lengths: readonly number[]): readonly LongerList[] {
  return lengths.flatMap((prefixBytes) => {
    const name = v5NameOf(row, prefixBytes);
    return name === null ? [] : [{ name, prefixBytes, loaded: null, ...NO_PROBLEM }];
  });
}

/**
 * Makes the longer prefixes of a version from its full hashes, in shared memory. Returns `null` if the full hashes are
 * out of order, or do not match the manifest's count or the four-byte prefixes.
 */
async function readPrefixes(list: OpenList, prefixBytes: number): Promise<LongerContents | null> {
  const { words } = list;
  const { fullHashes: count } = list.entry.manifest.contents;
  const rawHashes = new Uint8Array(new SharedArrayBuffer(count * prefixBytes));
  const checksum = createHash("sha256");
  let [hashes, used, nextWord] = [0, 0, 0];
  for await (const chunk of list.fullHashes()) {
    const start = used;
    hashes += chunk.length / FULL_HASH_BYTES;
    if (hashes > count) return null;
    for (let at = 0; at < chunk.length; at += FULL_HASH_BYTES) {
      const last = used - prefixBytes;
      const order = used === 0 ? -1 : compareBytes(rawHashes, last, chunk, at, prefixBytes);
      if (order > 0) return null;
      if (order === 0) continue;
      const word = wordAt(chunk, at);
      if (used === 0 || wordAt(rawHashes, last) !== word) {
        if (words[nextWord++] !== word) return null;
      }
      for (let k = 0; k < prefixBytes; k++) rawHashes[used++] = chunk[at + k]!;
    }
    checksum.update(rawHashes.subarray(start, used));
    await nextTurn();
  }
  if (hashes !== count || nextWord !== words.length) return null;
  return { prefixBytes, rawHashes: rawHashes.subarray(0, used), checksum: checksum.digest("hex") };
}

interface LongerPrefixesOptions {
  /** Clients can get differences from this many of the newest versions. */
  readonly window: number;
  readonly differences: DifferenceOptions;
  readonly aside: Aside;
}

/** The history and the newest version of a list's longer prefixes, all of one length. */
interface Known {
  readonly history: ListHistory<Uint8Array>;
  readonly newest: LongerVersion;
}

/**
 * Returns the lists with the longer prefixes of a version. Lists that have not changed are the same objects as in
 * `before`. Never rejects, because problems are part of the result. `missing` is the problem if full hashes of the
 * version are missing.
 */
type WithLonger = (
  list: OpenList,
  missing: Problem,
  before: readonly LongerList[] | undefined,
) => Promise<readonly LongerList[] | undefined>;

/** The list in another state; `before` itself if nothing has changed. */
function stateWith(
  before: LongerList,
  loaded: LongerVersion | null,
  { problem, detail }: Problem,
): LongerList {
  const isSame = loaded === before.loaded && problem === before.problem;
  return isSame && detail === before.detail ? before : { ...before, loaded, problem, detail };
}

/** The change of the longer prefixes since `before`; empty if there is no earlier version. */
async function changeSince(
  before: LongerVersion | undefined,
  { prefixBytes, rawHashes }: LongerContents,
  aside: Aside,
): Promise<Change<Uint8Array>> {
  if (before === undefined) return NO_CHANGE;
  const old = before.contents.rawHashes;
  const entries = (old.length + rawHashes.length) / prefixBytes;
  return aside.run("compareLonger", entries, { prefixBytes, rawHashes, before: old });
}

export function longerPrefixes({ window, differences, aside }: LongerPrefixesOptions): WithLonger {
  /** The newest versions, by the names of their lists in v5. */
  const known = new Map<string, Known>();
  /** Versions whose full hashes are wrong. Reading the full hashes again would not help. */
  const wrong = new WeakSet<OpenList>();

  async function versionOf(
    list: OpenList,
    { name, prefixBytes }: LongerList,
  ): Promise<LongerVersion | null> {
    const { contents: stored, issued: created } = list.entry.manifest;
    const { since, entries } = stored;
    const before = known.get(name);
    const newest = before?.newest;
    if (newest?.entries === entries && newest.since === since) return newest;
    const contents = await readPrefixes(list, prefixBytes);
    if (contents === null) return null;
    const { rawHashes, checksum } = contents;
    if (newest?.contents.checksum === checksum && newest.since === since) {
      const same = { ...newest, entries };
      known.set(name, { history: before!.history, newest: same });
      return same;
    }
    const change = await changeSince(newest, contents, aside);
    const history = before?.history ?? listHistory<Uint8Array>(window, differences);
    const added = { longer: { prefixBytes, rawHashes }, checksum, list: name, created };
    const differenceSince = history.add({ since, newest: added, change });
    const version = { contents, since, entries, differenceSince };
    known.set(name, { history, newest: version });
    return version;
  }

  async function stateOf(
    list: OpenList,
    missing: Problem,
    before: LongerList,
  ): Promise<LongerList> {
    if (missing.problem !== null) return stateWith(before, null, missing);
    if (wrong.has(list)) return stateWith(before, null, WRONG);
    try {
      const version = await versionOf(list, before);
      if (version !== null) return stateWith(before, version, NO_PROBLEM);
      wrong.add(list);
      return stateWith(before, null, WRONG);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return stateWith(before, null, { problem: "Its full hashes cannot be read", detail });
    }
  }

  return async (list, missing, before) => {
    if (before === undefined || before.length === 0) return before;
    const next: LongerList[] = [];
    for (const each of before) next.push(await stateOf(list, missing, each));
    return next.every((each, i) => each === before[i]) ? before : next;
  };
}
