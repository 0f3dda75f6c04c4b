import type { CanonicalUrl } from "@x/canon";
import { fromCodes } from "@x/canon/bytes";
import { type ExpressionOptions, exactExpression, expressions } from "@x/expressions";

/** The reasons why a client looks up nothing for a URL, as codes and sentences. */
export const UNREADABLE = {
  "not-a-url": "It does not read this as a URL.",
  "not-loadable": "No browser opens this URL.",
  "host-undecided":
    "Its host has bytes that are not UTF-8, or characters that Unicode does not define yet.",
  "no-scheme": "It looks up only URLs that start with http://, https:// or ftp://, in lower case.",
} as const;

/** A code for the reason why a client looks up nothing for a URL. */
export type UnreadableCode = keyof typeof UNREADABLE;

/** The texts that a client looks up for a URL. */
export interface ClientTexts {
  /** The text that stands for exactly this URL; `null` when the client looks up nothing. */
  readonly exact: string | null;
  /** All texts, including those for the folders and hosts above the URL. */
  readonly texts: readonly string[];
  /** The reason why the client looks up nothing; `null` when it looks up texts. */
  readonly problem: UnreadableCode | null;
}

/** The texts of a client that looks up nothing. */
export function noTexts(problem: UnreadableCode): ClientTexts {
  return { exact: null, texts: [], problem };
}

/**
 * The texts of a client that splits a URL in its own way, but then forms expressions from the parts as the
 * specification does.
 */
export function textsOf(
  parts: Pick<CanonicalUrl, "host" | "hostType" | "query"> & { readonly path: string },
  options: ExpressionOptions = {},
): ClientTexts {
  // Expressions are formed only from the host, its type, the path and the query, so the other fields may be empty.
  const url: CanonicalUrl = { ...parts, path: parts.path as `/${string}`, href: "", scheme: "" };
  return { exact: exactExpression(url), texts: expressions(url, options), problem: null };
}

/** The shorter suffixes of a host, with two to `most` labels, from the shortest to the longest. */
export function hostsAbove(host: string, most: number): string[] {
  const labels = host.split(".");
  const count = Math.max(0, Math.min(most, labels.length - 1) - 1);
  return Array.from({ length: count }, (_, i) => labels.slice(-2 - i).join("."));
}

/** Encodes text as UTF-8, in a string whose code units are bytes. */
export function toByteString(text: string): string {
  return fromCodes(new TextEncoder().encode(text));
}

/** Decodes a byte string as UTF-8; bytes that are not UTF-8 become U+FFFD. */
export function fromByteString(bytes: string): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

/** Decodes the percent escapes of a byte string in one pass. */
export function unescapeOnce(bytes: string): string {
  return bytes.replace(/%([0-9A-Fa-f]{2})/g, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}
