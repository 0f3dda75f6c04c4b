import { CanonError } from "@x/canon";
import type { Expression, ExpressionOptions } from "@x/expressions";
import {
  type About,
  type EntryHistory,
  type Manifest,
  readHistory,
  type StoredList,
} from "@x/list-store";
import { readingHashes } from "@x/lookup";

/** When an expression of a URL was on a list. */
export interface ExpressionHistory extends EntryHistory {
  readonly list: string;
  /** Why entries are on the list, and whom to tell about a mistake, if the publisher says it. */
  readonly about: About | null;
  readonly expression: Expression;
  /** Where the record begins. */
  readonly begins: Pick<Manifest, "version" | "issued">;
  /** The newest version, with its times in milliseconds since 1970. It may have expired. */
  readonly newest: Pick<Manifest, "version" | "issued" | "expires">;
  /** The chance that an expression has the same first four bytes as another entry of the newest version. */
  readonly chance: number;
}

/**
 * Finds out when the expressions of a URL were added to a list in a store, and when they were removed from it. Returns
 * `null` if there is no such list.
 *
 * The URL is read as the specification and as browsers read it. Only the store is read, and the URL is not sent. But if
 * it was on the list, the host of the store may guess the first four bytes of its hash from the versions that are read.
 *
 * @param options with `registrableDomain`, the expressions are those of v4 and of v5; without it, only those of v4.
 * @throws CanonError of `@x/canon`, when `url` is not clearly one URL with a host.
 * @throws StoreError of `@x/list-store`, when the store cannot be read or verified. A newest version that has expired
 * is no error.
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`.
 * @example
 * ```ts
 * import { urlHistory } from "@x/client/history";
 * import { generateSigningKey, memoryStorage, publish, signerOf } from "@x/list-store";
 * import { fullHash } from "@x/sha256-prefix";
 *
 * const signer = await signerOf(await generateSigningKey("lists.example"));
 * const stored = { storage: memoryStorage(), list: "phishing", publicKeys: [signer.publicKey] };
 * for (const entries of [["evil.example/"], []]) {
 *   const fullHashes = entries.map((entry) => fullHash(entry));
 *   await publish({ ...stored, fullHashes, signer, lifetime: 86_400_000 });
 * }
 * const [page, host] = await urlHistory("http://evil.example/login", stored);
 * [page.expression, page.changes.length]; // → ["evil.example/login", 0]
 * [host.expression, host.listed]; // → ["evil.example/", false]
 * host.changes.map(({ version, change }) => `v${version} ${change}`); // → ["v1 added", "v2 removed"]
 * ```
 */
export async function urlHistory(
  url: string | Uint8Array,
  stored: StoredList,
  options: ExpressionOptions = {},
): Promise<ExpressionHistory[] | null> {
  const hashes = expressionHashes(url, options);
  const history = await readHistory(stored, [...hashes.values()]);
  if (history === null) return null;
  const { manifest, begins, entries } = history;
  const { list, about = null, version, issued, expires, contents } = manifest;
  return [...hashes.keys()].map((expression, i) => ({
    list,
    about,
    expression,
    ...entries[i]!,
    begins,
    newest: { version, issued, expires },
    chance: contents.prefixes / 2 ** 32,
  }));
}

/**
 * The full hash of each expression of a URL, which is read as the specification and as browsers read it.
 *
 * @param options as in {@link urlHistory}.
 * @throws as {@link urlHistory} does for a URL.
 */
export function expressionHashes(
  url: string | Uint8Array,
  options: ExpressionOptions = {},
): ReadonlyMap<Expression, Uint8Array> {
  const all = [readingHashes(url), readingHashes(url, options)];
  const problem = all[0]!.problem;
  // An expression that nobody looks up would be "never on the list".
  if (problem !== null) throw new CanonError(url, problem.code, problem.index);
  return new Map(
    all.flatMap(({ hashes }) => hashes.map(({ expression, hash }) => [expression, hash])),
  );
}
