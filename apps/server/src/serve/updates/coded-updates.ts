import type { Contents } from "@x/list-store";
import { type DifferenceSince, entriesIn, PREFIX_BYTES } from "@x/list-store/serving";
import { type ListUpdateResponse, toListUpdateResponse } from "@x/wire/v4";
import type { HashList } from "@x/wire/v5";
import { markCommon } from "../http/large-answer.ts";
import {
  type AnyContents,
  countOf,
  type ListContents,
  listUpdateFrom,
  type UpdateSource,
} from "../list-update.ts";
import type { Prepare } from "../lists/refresh-lists.ts";
import {
  loadedOf,
  type ServedList,
  type ServedVersion,
  unavailable,
} from "../lists/served-lists.ts";
import { v5NameOf } from "../lists/threat-rows.ts";
import { buffersIn } from "../worker-thread/jobs.ts";
import type { Aside } from "../worker-thread/run-job.ts";

/**
 * The messages of updates, without the parts that depend on the client. Each message is made once for all clients that
 * ask for it, and kept as long as its source. All answers share the bytes of the message.
 */
export interface CodedUpdates {
  /** The contents of a version, as one object for all versions that share their `words`. */
  contentsOf(version: Pick<ServedVersion, "words" | "prefixes">): ListContents;
  /** A message of v5, for a list with this name. */
  hashList(source: UpdateSource, name: string): Promise<HashList>;
  /** A message of v4. The fields that repeat the request are filled in later. */
  listUpdate(source: UpdateSource, hasRice: boolean): Promise<ListUpdateResponse>;
  /** Makes messages for the next contents of a list, in the same forms as were made for its previous contents. */
  followUp(before: AnyContents, next: AnyContents): Promise<void>;
  /** The first `count` prefixes of a list. */
  cut(contents: AnyContents, count: number): Promise<AnyContents>;
}

/** The forms of updates. In v5, the name of the list follows. */
const V5 = "v5 ";
const RICE = "v4 rice";
const RAW = "v4 raw";

/** The fields of an update in v4 that repeat the request. */
const NOT_FILLED_IN = {
  threatType: null,
  platformType: null,
  threatEntryType: null,
  newClientState: new Uint8Array(0),
};

function lengthOf(source: UpdateSource): number {
  return "removals" in source ? entriesIn(source) : countOf(source);
}

export function codedUpdates(aside: Aside): CodedUpdates {
  /** What was made from each source, by form. */
  const made = new WeakMap<UpdateSource, Map<string, Promise<unknown>>>();
  const byWords = new WeakMap<ServedVersion["words"], ListContents>();
  /** For each cut list, the whole list. The raw bytes of the cut list are the first raw bytes of the whole list. */
  const wholes = new WeakMap<UpdateSource, ListContents>();

  /** Makes something only once, but after a failure, the next client tries again. */
  function once<Value>(
    source: UpdateSource,
    form: string,
    make: () => Promise<Value>,
  ): Promise<Value> {
    const kept = made.get(source) ?? new Map<string, Promise<unknown>>();
    made.set(source, kept);
    const known = kept.get(form) as Promise<Value> | undefined;
    if (known !== undefined) return known;
    const making = make().then((value) => {
      for (const buffer of buffersIn(value)) markCommon(buffer);
      return value;
    });
    kept.set(form, making);
    making.catch(() => kept.delete(form));
    return making;
  }

  async function rawHashes(contents: ListContents): Promise<Uint8Array> {
    const { words } = contents;
    const whole = wholes.get(contents);
    if (whole !== undefined) return (await rawHashes(whole)).subarray(0, words.byteLength);
    return once(contents, "raw hashes", () => aside.run("rawHashesOf", words.length, words));
  }

  /** The first `count` prefixes of a list, as a view of the whole list's memory. */
  async function firstOf(contents: AnyContents, count: number): Promise<AnyContents> {
    if ("words" in contents) {
      const words = contents.words.subarray(0, count);
      const cut = { words, checksum: await aside.run("checksumOf", count, words) };
      wholes.set(cut, contents);
      return cut;
    }
    const { prefixBytes } = contents;
    const rawHashes = contents.rawHashes.subarray(0, count * prefixBytes);
    const checksum = await aside.run("checksumOf", count, rawHashes);
    return { prefixBytes, rawHashes, checksum };
  }

  const hashList: CodedUpdates["hashList"] = (source, name) =>
    once(source, V5 + name, () => aside.run("hashListOf", lengthOf(source), { source, name }));

  async function rawUpdate(source: UpdateSource): Promise<ListUpdateResponse> {
    const rawBytes = "words" in source ? await rawHashes(source) : undefined;
    return toListUpdateResponse(listUpdateFrom(source, rawBytes), NOT_FILLED_IN);
  }

  const listUpdate: CodedUpdates["listUpdate"] = (source, hasRice) =>
    once(source, hasRice ? RICE : RAW, () =>
      hasRice ? aside.run("listUpdateOf", lengthOf(source), source) : rawUpdate(source),
    );

  return {
    contentsOf({ words, prefixes: { checksum } }) {
      const known = byWords.get(words) ?? { words, checksum };
      byWords.set(words, known);
      return known;
    },
    hashList,
    listUpdate,
    async followUp(before, next) {
      for (const form of [...(made.get(before)?.keys() ?? [])]) {
        if (form.startsWith(V5)) await hashList(next, form.slice(V5.length));
        if (form === RICE || form === RAW) await listUpdate(next, form === RICE);
      }
    },
    cut: (contents, count) => once(contents, `first ${count}`, () => firstOf(contents, count)),
  };
}

/**
 * Makes the updates that most clients will ask for after a new version of a list, so that no client waits for them: the
 * difference from the previous version, and the whole list in the forms in which clients got it before.
 *
 * An update that cannot be made here is made when a client asks for it.
 */
export async function prepareUpdates(
  coded: CodedUpdates,
  ...[before, next]: Parameters<Prepare>
): Promise<void> {
  const longer = (next.longer ?? []).map((each) => each.prefixBytes);
  for (const prefixBytes of [PREFIX_BYTES, ...longer]) {
    try {
      const [from, to] = [before, next].map((list) => offeredPrefixes(list, prefixBytes, coded));
      const { since, checksum } = from!.version;
      if (checksum === to!.version.checksum) continue;
      const difference = await to!.differenceSince(since, checksum, "");
      if (typeof difference !== "string") {
        const name = v5NameOf(next.row, prefixBytes);
        if (name !== null) await coded.hashList(difference, name);
        // Clients of v4 and Web Risk cannot ask for longer prefixes.
        if (prefixBytes === PREFIX_BYTES) await coded.listUpdate(difference, true);
      }
      await coded.followUp(from!.contents, to!.contents);
    } catch {
      // A client that asks for the update gets the error, if it occurs again.
    }
  }
}

/**
 * The prefixes of this length, with the values that identify them in tokens. Throws if there are none that may be
 * served: the list must never look empty.
 */
export function offeredPrefixes(
  served: ServedList,
  prefixBytes: number,
  coded: Pick<CodedUpdates, "contentsOf">,
): {
  readonly contents: AnyContents;
  readonly version: Pick<Contents, "since" | "checksum">;
  readonly differenceSince: DifferenceSince;
} {
  const list = loadedOf(served);
  if (prefixBytes === PREFIX_BYTES) {
    const { differenceSince, entry } = list;
    return { contents: coded.contentsOf(list), version: entry.manifest.contents, differenceSince };
  }
  const longer = served.longer!.find((each) => each.prefixBytes === prefixBytes)!;
  if (longer.loaded === null) throw unavailable(longer);
  const { contents, since, differenceSince } = longer.loaded;
  return { contents, version: { since, checksum: contents.checksum }, differenceSince };
}
