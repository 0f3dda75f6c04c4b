import { isBase64Hash, isHexHash } from "@x/canon/other-text";
import { FULL_HASH_BYTES, fromHex, MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import type { EntryKind, LineParser, ListFormat, Output, ParserOptions } from "./format.ts";

/** One URL, host or expression per line. */
export const urls: ListFormat = {
  name: "urls",
  title: "URLs, hosts or expressions, one per line",
  shape: null,
  parser: (output, options) => namesParser(output, "line", options),
};

/** One domain per line. */
export const domains: ListFormat = {
  name: "domains",
  title: "domains, one per line",
  shape: null,
  parser: (output, options) => namesParser(output, "host", options),
};

/** One full hash or hash prefix per line, in hexadecimal. */
export const hex: ListFormat = {
  name: "hex",
  title: "hashes in hexadecimal",
  shape: {
    code: "hash-line",
    found: "a hash",
    pattern: { test: (line) => isHexHash(line) || isBase64Hash(line) },
  },
  parser: hashParser,
};

/** Whether a line is a comment in a list of URLs, domains or hashes. */
export function isComment(line: string): boolean {
  const first = line[0];
  return first === "#" || first === "!" || first === ";";
}

/** Removes a comment at the end of a line. */
export function withoutComment(text: string): string {
  // Most lines have no comment, and searching for `#` alone is faster.
  if (!text.includes("#")) return text;
  const start = text.search(/\s#/);
  return start < 0 ? text : text.slice(0, start).trimEnd();
}

/** Removes the `*.` or dot before a domain: an entry covers the hosts below it anyway. */
export function withoutLeadingWildcard(text: string): string {
  if (text.startsWith("*.")) return text.slice(2);
  return text.startsWith(".") ? text.slice(1) : text;
}

/** Matches the head of a section, but neither an IPv6 address, nor JSON, nor the header of an Adblock list. */
const SECTION =
  /^(?:\[\[?(?![\da-f:.]*:[\da-f:.]*\])(?!ad|abp|ublock)\p{L}[\p{L}\p{N}_ .:/-]{0,200}\]\]?|\{\{?\s*[+-]?[a-z][^"]{0,200}\})$/iu;

/** Whether a line is the head of a section, such as `[rules]`, or `{+block}` in Privoxy's files. */
export function isSectionHead(line: string): boolean {
  return (line[0] === "[" || line[0] === "{") && SECTION.test(line);
}

/** Matches a host after `!`, which begins an exception in some lists and a comment in others. */
const NEGATED = /^!(?:\*?\.)?(?:[\w-]+\.)+[a-z][\w-]+\/?$/i;
/** Matches a host after `-` or `~`, which mark exceptions in the lists of some programs. */
const EXCLUDED = /^[-~](?:\*?\.)?(?:[\w-]+\.)+[a-z][\w-]+(?:[/:]\S*)?$/i;
const AFTER_BULLET = /^[\u00b7\u2022\u2023\u2043\u2013\u2014\u2212\u25cf\u25e6]/;
/** A quick check for most lines: nothing marks them as a comment or an exception. */
const UNMARKED = /^[a-z\d]/;

/** Matches one word, such as the header of the only column of a spreadsheet. */
const HEADER = /^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u;

/** Whether the first line of a list of names may be a header. */
export function isHeaderOfNames(line: string): boolean {
  return HEADER.test(line) && !isHexHash(line);
}

function namesParser(output: Output, kind: EntryKind, options: ParserOptions): LineParser {
  let mayBeHeader = options.isRecognized;
  return {
    line(line) {
      const isMarked = !UNMARKED.test(line);
      if (isMarked && isComment(line)) {
        if (NEGATED.test(line)) output.refuse("exception", line);
        return;
      }
      const isHeader = mayBeHeader && isHeaderOfNames(line) && !output.accepts(line, kind);
      mayBeHeader = false;
      if (isHeader) output.header(line);
      else if (isMarked && (line.startsWith("@@") || EXCLUDED.test(line))) {
        output.refuse("exception", line);
      } else if (isMarked && AFTER_BULLET.test(line)) output.refuse("host-character", line);
      else output.entry(withoutLeadingWildcard(withoutComment(line)), kind);
    },
  };
}

const HEX = /^(?:[0-9A-Fa-f]{2})*$/;
/** The lengths of MD5 and SHA-1 hashes. Hash prefixes may have the same lengths, but rarely do. */
const OTHER_HASH_BYTES: ReadonlySet<number> = new Set([16, 20]);

function hashParser(output: Output): LineParser {
  return {
    line(line) {
      if (isComment(line)) return;
      const text = withoutComment(line);
      const bytes = text.length <= 2 * FULL_HASH_BYTES && HEX.test(text) ? fromHex(text) : null;
      if (bytes === null) output.refuse("hash-invalid", line);
      else if (bytes.length < MIN_PREFIX_BYTES) output.refuse("hash-length", line);
      else output.hash(bytes, OTHER_HASH_BYTES.has(bytes.length) ? "other-hash" : undefined);
    },
  };
}
