import {
  type Change,
  type DifferenceSince,
  PREFIX_BYTES,
  type PrefixWords,
} from "@x/list-store/serving";
import { type PrefixList, rawHashesIn } from "@x/prefix-list";
import { type RemovalLimit, updateCheck } from "../../publish/removal-limits.ts";
import type { ListHistory } from "../lists/list-history.ts";
import type { ServerLog } from "../log.ts";
import type { Aside } from "../worker-thread/run-job.ts";

interface AcceptedContentsOptions {
  readonly aside: Aside;
  readonly log: ServerLog;
  /** The name of the other server in the settings. */
  readonly upstream: string;
  /** How much of a list an update may remove. */
  readonly limit: RemovalLimit;
  readonly now: () => number;
}

/** The contents of another server's list, as far as this server accepts them. */
export interface AcceptedContents {
  /** The newest contents; `null` before the first have arrived. */
  newest(): Contents | null;
  /** Throws if a new version must not replace the newest contents. */
  check(list: PrefixList): Promise<void>;
  /** Replaces the newest contents. */
  adopt(list: PrefixList): Promise<void>;
}

/** The contents of a list, with the time when this process received or loaded them. */
export interface Contents {
  readonly differenceSince: DifferenceSince;
  readonly prefixes: PrefixList;
  readonly words: PrefixWords;
  readonly since: number;
  readonly change: Change<PrefixWords>;
}

/** The result of comparing a new version with the one that was served when it arrived. */
interface Compared {
  readonly words: PrefixWords;
  readonly change: Change<PrefixWords>;
  /** The prefixes that the new version was compared with. */
  readonly before: PrefixWords;
}

const NO_WORDS: PrefixWords = new Uint32Array(0);

/**
 * The version number in all tokens for lists of other servers. The checksum alone identifies a version, so the same
 * token works on every server.
 */
export const SINCE = 0;

/** A version number that grows with time, even if clients get the list from different servers. */
export const versionOf = ({ since }: Contents): number => Math.floor(since / 1000);

/** Compares a new version with the prefixes that were served before. Throws if the new version cannot be served. */
async function compare(before: PrefixWords, list: PrefixList, aside: Aside): Promise<Compared> {
  for (const { prefixBytes } of rawHashesIn(list)) {
    if (prefixBytes === PREFIX_BYTES) continue;
    throw new Error(
      `it has hash prefixes of ${prefixBytes} bytes, but only those of ${PREFIX_BYTES} can be served`,
    );
  }
  const entries = before.length + list.size;
  return { ...(await aside.run("compareList", entries, { list, before })), before };
}

/** Creates the contents of a list. `name` is the name under which the list is served. */
export function acceptedContents(
  name: string,
  history: ListHistory<PrefixWords>,
  { aside, log, upstream, limit, now }: AcceptedContentsOptions,
): AcceptedContents {
  const compared = new WeakMap<PrefixList, Compared>();
  const checkUpdate = updateCheck(upstream, limit, now);
  let contents: Contents | null = null;

  async function check(list: PrefixList): Promise<void> {
    const before = contents?.words ?? null;
    const made = await compare(before ?? NO_WORDS, list, aside);
    const removed = made.change.removed.length;
    checkUpdate({ before: before?.length ?? null, removed, after: list.size });
    compared.set(list, made);
  }

  async function adopt(prefixes: PrefixList): Promise<void> {
    const before = contents?.words ?? NO_WORDS;
    const known = compared.get(prefixes);
    const { words, change } =
      known?.before === before ? known : await compare(before, prefixes, aside);
    const { name: list, created, checksum } = prefixes;
    const newest = { words, checksum, list, created };
    const differenceSince = history.add({ since: SINCE, newest, change });
    contents = { prefixes, words, since: now(), change, differenceSince };
    log.info("list loaded", { list: name, version: versionOf(contents) });
  }

  return { newest: () => contents, check, adopt };
}
