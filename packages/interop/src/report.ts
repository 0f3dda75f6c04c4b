import { tryParseUrl } from "@x/canon";
import { typeError } from "@x/canon/own-options";
import { type Expression, exactExpression, expressions } from "@x/expressions";
import { CLIENTS, type ClientKind, type ReadOptions, readAs } from "./clients.ts";
import { type DifferenceCode, differenceOf, type Entry, entryOf, isPlain } from "./entry.ts";
import { UNREADABLE, type UnreadableCode } from "./texts.ts";

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

/** Another text that clients look up for the URL of an entry. */
export interface EntryVariant {
  readonly text: string;
  /** The clients that block the entry only if the variant is published. */
  readonly clients: readonly ClientKind[];
  /**
   * `false` when clients may look up the text for other URLs, too, so that publishing its hash could block URLs that
   * are not listed.
   */
  readonly isSafe: boolean;
}

/**
 * Returns the variants of an entry: the other texts that clients look up for exactly its URL instead of its expression.
 * Publishing the hash of a text whose `isSafe` is `true` lets these clients block the entry, and blocks nothing else
 * for clients that follow the specifications. The other texts must not be published.
 *
 * `entry` is a URL, or an expression or a host without a scheme. The result has the variants for the URL as it is
 * given, and for its canonical form.
 *
 * @throws CanonError of `@x/canon`, when `entry` is not a URL with a host.
 * @throws TypeError when `entry` is not a string.
 * @example
 * ```ts
 * import { interopVariants } from "@x/interop";
 *
 * interopVariants("http://evil.example/%C3%A9"); // → [{ text: "evil.example/%c3%a9", clients: ["google-go"], isSafe: true }]
 * interopVariants("http://264.8.8.8/")[0]; // → { text: "8.8.8.8/", clients: ["google-go", "google-webrisk"], isSafe: false }
 * ```
 */
export function interopVariants(entry: string, options: ReadOptions = {}): EntryVariant[] {
  if (typeof entry !== "string") throw typeError("entry", "a string", entry);
  if (isPlain(entry)) return [];
  return variantsOf(entryOf(entry), options);
}

function variantsOf({ expression, urls }: Entry, options: ReadOptions): EntryVariant[] {
  const clientsOf = new Map<string, Set<ClientKind>>();
  for (const client of CLIENTS) {
    for (const url of urls) {
      const { exact, texts } = readAs(client, url, options);
      if (exact === null || texts.includes(expression)) continue;
      const clients = clientsOf.get(exact) ?? new Set();
      clientsOf.set(exact, clients.add(client));
    }
  }
  return [...clientsOf].map(([text, clients]) => ({
    text,
    clients: [...clients],
    isSafe: !isExpression(text) && isCovered(text, expression),
  }));
}

/**
 * Whether a text is an expression of some URL, according to the specifications of v4 and v5, or as browsers read URLs.
 *
 * An expression has two parts: the last labels of a canonical host, and a prefix of a canonical path that ends in a
 * slash or is the whole path. The path prefix is always canonical itself. The host suffix either is canonical itself or
 * becomes canonical when a label is put before it. For example, `2.3.4` is a suffix of `name.2.3.4`, but alone it would
 * be an address. A single label is never a suffix of a longer host. The readings of browsers and the host suffixes of
 * v5 give only expressions of this form.
 */
function isExpression(text: string): boolean {
  const dot = text.indexOf(".");
  const isLongerHost = dot >= 0 && dot < text.indexOf("/");
  return isCanonical(text) || (isLongerHost && isCanonical(`x.${text}`));
}

function isCanonical(text: string): boolean {
  const url = tryParseUrl(`http://${text}`);
  return url !== null && exactExpression(url) === text;
}

/**
 * Whether the entry covers the URL that a text stands for. If it does, clients that look up the text block no more than
 * other clients.
 */
function isCovered(text: string, entry: Expression): boolean {
  const isIpv6 = /^[0-9a-f:]*:[0-9a-f:]*\//.test(text);
  const url = tryParseUrl(`http://${isIpv6 ? text.replace(/^[^/]*/, "[$&]") : text}`);
  return url !== null && expressions(url).includes(entry);
}
