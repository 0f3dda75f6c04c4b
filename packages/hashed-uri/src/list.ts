import { readUri } from "@x/canon/hierarchical";
import { typeError } from "@x/sha256-prefix/type-error";
import { HashedUriError, type ListLineCode } from "./error.ts";
import { type HashedUri, parseSyntax } from "./parse.ts";
import type { Variant } from "./scheme-rules.ts";

/**
 * The header fields in the comment lines of a list. Readers need them: a hashed URI does not say, for
 * example, with which variant it was made. A field that the list does not have is left out.
 */
export interface HashedUriListHeader {
  /** The variant of Appendix A. */
  readonly variant?: Variant;
  /** The absolute URI against which relative URIs were resolved. */
  readonly base?: string;
  /** The algorithms of the hashes, in lower case, with a comma and a space between them. */
  readonly algorithm?: string;
  /** The time at which the list was made, in UTC, such as `2026-11-22T08:00:00Z`. */
  readonly created?: string;
  /** The number of hashed URIs in the list. */
  readonly count?: number;
}

/** A line of a list, as {@link parseHashedUriListLine} returns it. */
export type HashedUriListLine =
  | { readonly kind: "entry"; readonly hashed: HashedUri }
  /** `header` has all fields up to and including this line. */
  | { readonly kind: "header"; readonly header: HashedUriListHeader }
  /** Another comment, or a blank line. */
  | { readonly kind: "comment" }
  /** `code` and `index` are those of a {@link HashedUriError} about the line. */
  | { readonly kind: "refused"; readonly code: ListLineCode; readonly index: number | null };

type Field = keyof HashedUriListHeader;

const PREFIX = "# hashed-uri ";
/** A header line whose prefix is written otherwise, such as `#Hashed-URI Variant: P`. */
const OTHER_PREFIX = /^#[ \t]*hashed-uri[ \t]+(?=(?:variant|base|algorithm|created|count)[ \t]*:)/i;

/** For each field, a function that returns its value, or `null` for text that cannot be its value. */
const FIELDS: { readonly [field in Field]: (text: string) => HashedUriListHeader[field] | null } = {
  variant: (text) => (/^[NP]$/i.test(text) ? (text.toUpperCase() as Variant) : null),
  base: (text) => (isBase(text) ? text : null),
  algorithm: (text) =>
    /^[a-z0-9.-]+(?:, ?[a-z0-9.-]+)*$/i.test(text) ? union(text.toLowerCase()) : null,
  created: (text) => (isTime(text) ? text : null),
  count: (text) => (/^(?:0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : null),
};

const FIELD_NAMES = Object.keys(FIELDS) as readonly Field[];

/**
 * The comment lines that begin a list of hashed URIs, with one line for each field, each with its line end. Write the
 * hashed URIs after them, one per line. Header lines may be anywhere in the list, so a count that is known only at the
 * end can come last.
 *
 * @throws {@link HashedUriError} `list-field-invalid`, when a value could not be read back unchanged.
 * @throws TypeError when `header` is not an object.
 *
 * @example
 * ```ts
 * import { formatHashedUriListHeader, hashUri } from "@x/hashed-uri";
 *
 * const entries = [hashUri("http://www.thus.net", { variant: "P" })];
 * const header = formatHashedUriListHeader({ variant: "P", algorithm: "sha1", count: entries.length });
 * header; // → "# hashed-uri variant: P\n# hashed-uri algorithm: sha1\n# hashed-uri count: 1\n"
 * const list = `${header}${entries.join("\n")}\n`;
 * ```
 */
export function formatHashedUriListHeader(header: HashedUriListHeader): string {
  if (typeof header !== "object" || header === null) throw typeError("header", "an object", header);
  let lines = "";
  for (const field of FIELD_NAMES) {
    const value = header[field];
    if (value === undefined) continue;
    const line = `${PREFIX}${field}: ${value}`;
    if (FIELDS[field](String(value)) !== value) {
      throw new HashedUriError("list-field-invalid", line, line.length - String(value).length);
    }
    lines += `${line}\n`;
  }
  return lines;
}

/**
 * Reads one line of a list of hashed URIs, without its line end. White space around the line is ignored. Use this
 * function to read a list line by line: `header` has the fields of the lines before this one.
 *
 * A comment line that begins with `# hashed-uri` and a space is never ignored. Case does not matter in header lines,
 * except in the base. If such a line is not a valid field, it
 * is refused as `list-field-unknown` or `list-field-invalid`. If an earlier line has another value for the field, for
 * example because two lists were joined, the line is refused as `list-field-conflicting`; algorithms are joined. A line
 * that is not a hashed URI is refused with the codes of `parseHashedUri`.
 *
 * @throws TypeError when `line` is not a string.
 *
 * @example
 * ```ts
 * import { parseHashedUriListLine } from "@x/hashed-uri";
 *
 * parseHashedUriListLine("# hashed-uri variant: P"); // → { kind: "header", header: { variant: "P" } }
 * parseHashedUriListLine("# hashed-uri variant: N", { variant: "P" }); // → { kind: "refused", code: "list-field-conflicting", index: 22 }
 * parseHashedUriListLine("# sites to leave alone").kind; // → "comment"
 * parseHashedUriListLine("hashed:md5=00").kind; // → "entry"
 * parseHashedUriListLine("http://www.thus.net"); // → { kind: "refused", code: "scheme-not-hashed", index: 0 }
 * ```
 */
export function parseHashedUriListLine(
  line: string,
  header: HashedUriListHeader = {},
): HashedUriListLine {
  if (typeof line !== "string") throw typeError("line", "a string", line);
  const start = line.length - line.trimStart().length;
  const text = line.trim();
  const refuse: Refuse = (code, index) => ({ kind: "refused", code, index: start + index });
  const prefix = text.startsWith(PREFIX) ? PREFIX : OTHER_PREFIX.exec(text)?.[0];
  if (prefix !== undefined) return parseField(text, prefix.length, header, refuse);
  if (text === "" || text.startsWith("#")) return { kind: "comment" };
  return parseSyntax<HashedUriListLine>(text, (hashed) => ({ kind: "entry", hashed }), refuse);
}

type Refuse = (code: ListLineCode, index: number) => HashedUriListLine;

function parseField(
  text: string,
  start: number,
  header: HashedUriListHeader,
  refuse: Refuse,
): HashedUriListLine {
  const [written = "", name] = /^([a-z]*)[ \t]*:[ \t]+/i.exec(text.slice(start)) ?? [];
  const field = FIELD_NAMES.find((known) => known === name?.toLowerCase());
  if (field === undefined) return refuse("list-field-unknown", start);
  const valueStart = start + written.length;
  const value = FIELDS[field](text.slice(valueStart));
  if (value === null) return refuse("list-field-invalid", valueStart);
  if (field === "algorithm") {
    const algorithm = union(header.algorithm, value as string);
    return {
      kind: "header",
      header: algorithm === header.algorithm ? header : { ...header, algorithm },
    };
  }
  const isKnown = Object.hasOwn(header, field);
  if (isKnown && header[field] !== value) return refuse("list-field-conflicting", valueStart);
  return { kind: "header", header: isKnown ? header : { ...header, [field]: value } };
}

/** All names of some lists of algorithms, each once. */
function union(...lists: readonly (string | undefined)[]): string {
  const names = lists.flatMap((list) => list?.split(/, ?/) ?? []);
  return [...new Set(names)].join(", ");
}

/**
 * Whether a text can be the base of relative URIs. White space at its ends is not allowed, because the values of header
 * lines are trimmed.
 */
function isBase(text: string): boolean {
  return text.trim() === text && readUri("", text).problem === null;
}

function isTime(text: string): boolean {
  return (
    /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?Z$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  );
}
