import { typeError } from "@x/canon/own-options";
import type { Expression } from "@x/expressions";
import { UNREADABLE, type UnreadableCode } from "./clients/texts.ts";
import { CLIENTS, type ClientKind, type ReadOptions, readAs } from "./clients.ts";
import { type DifferenceCode, differenceOf, type Entry, entryOf, isPlain } from "./entry.ts";
import { type EntryVariant, variantsOf } from "./variants.ts";

/** The reason why a client does not block an entry. */
export type ReasonCode = UnreadableCode | DifferenceCode;

/** A report on how a client treats the URL of an entry. */
export interface ClientReport {
  readonly client: ClientKind;
  /**
   * `"entry"`: the client blocks the URL. `"variant"`: the client blocks the URL if the safe variants are published.
   * `"no"`: the client does not block the URL in either case.
   */
  readonly blocks: "entry" | "variant" | "no";
  /** The reason why the client does not block the URL if only the entry is published; `null` when it does. */
  readonly code: ReasonCode | null;
  /** `code` as a sentence. */
  readonly reason: string | null;
}

/** A report on how all clients treat an entry. */
export interface EntryReport {
  readonly expression: Expression;
  /** The reports on the clients, in the order of `CLIENTS`. */
  readonly clients: readonly ClientReport[];
  readonly variants: readonly EntryVariant[];
}

const BLOCKED = { blocks: "entry", code: null, reason: null } as const;

/**
 * Reports which clients will block an entry, which cannot, and why.
 *
 * `entry` is a URL as it is listed, or an expression or a host without a scheme.
 *
 * @throws CanonError of `@x/canon`, when `entry` is not a URL with a host.
 * @throws TypeError when `entry` is not a string.
 * @example
 * ```ts
 * import { reportEntry } from "@x/interop";
 *
 * const { clients } = reportEntry("http://evil.example/%C3%A9");
 * clients.find(({ client }) => client === "firefox")?.blocks; // → "entry"
 * clients.find(({ client }) => client === "google-go")?.code; // → "lower-case-escapes"
 * ```
 */
export function reportEntry(entry: string, options: ReadOptions = {}): EntryReport {
  if (typeof entry !== "string") throw typeError("entry", "a string", entry);
  const found = entryOf(entry);
  const isAlike = isPlain(entry);
  const variants = isAlike ? [] : variantsOf(found, options);
  const clients = CLIENTS.map((client) =>
    isAlike ? { client, ...BLOCKED } : clientReport(client, found, variants, options),
  );
  return { expression: found.expression, clients, variants };
}

function clientReport(
  client: ClientKind,
  { expression, urls: [url] }: Entry,
  variants: readonly EntryVariant[],
  options: ReadOptions,
): ClientReport {
  const { exact, texts, problem } = readAs(client, url, options);
  if (texts.includes(expression)) return { client, ...BLOCKED };
  if (exact === null) return { client, blocks: "no", code: problem, reason: UNREADABLE[problem!] };
  const isSafe = variants.some((variant) => variant.isSafe && texts.includes(variant.text));
  return { client, blocks: isSafe ? "variant" : "no", ...differenceOf(expression, exact) };
}
