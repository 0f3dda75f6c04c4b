import { type HeaderValue, headerNamed, parseHeaderValue } from "./header.ts";

/** A part of a message that has no parts itself. Its indices count bytes. */
export interface MessagePart {
  readonly start: number;
  readonly bodyStart: number;
  readonly end: number;
  readonly headers: string;
  /** The value of `Content-Type`. */
  readonly type: HeaderValue;
  /** Whether the part is in a digest, where a part without a type is a message. */
  readonly isInDigest: boolean;
  /** The base of relative references in the part. */
  readonly base: string | null;
}

/** The headers of a whole message, and its parts. */
export interface MessageParts {
  readonly headers: string;
  readonly parts: readonly MessagePart[];
  /** Whether a line among the headers is no header field. Some programs skip it, others read it as part of the body. */
  readonly hasStrayLine: boolean;
}

/** A header field (RFC 5322 §2.2), or the `From ` line of an mbox, with which old files may begin. */
export const FIELD: RegExp = /^(?:[!-9;-~]+[ \t]*:|>?From )/;

/** A multipart that has not ended. */
interface Multipart {
  readonly boundary: string;
  readonly isDigest: boolean;
  readonly base: string | null;
}

const DEEPEST = 256;
const MOST_HEADERS = 2 * 1024 * 1024;
const LONGEST_BOUNDARY = 200;

/**
 * Finds the parts of a message, so that each can be read as a document of its own. `null` if the parts are too deep, or
 * have more than 2 MiB of headers.
 *
 * @param raw The message, with one character for each byte.
 * @param endsAtStrayLine Whether a line that is no header field ends the headers.
 * @see RFC 2046 §5.1
 */
export function messageParts(
  bytes: Uint8Array,
  raw: string,
  endsAtStrayLine: boolean,
): MessageParts | null {
  const parts: MessagePart[] = [];
  let around: readonly Multipart[] = [];
  let headersLength = 0;
  let headersOfMessage: string | null = null;
  let hasStrayLine = false;
  /** The start of the current part; `null` before the first part of a multipart, and after its last one. */
  let start: number | null = 0;
  /** The current part, once its headers have ended. */
  let part: Omit<MessagePart, "end"> | null = null;

  function endHeaders(from: number, bodyStart: number): void {
    const headers = new TextDecoder().decode(bytes.subarray(from, bodyStart));
    headersOfMessage ??= headers;
    const base = baseIn(headers) ?? around.at(-1)?.base ?? null;
    const type = parseHeaderValue(headerNamed(headers, "content-type") ?? "");
    // A boundary is compared with lines of the source.
    const inSource = headerNamed(raw.slice(from, bodyStart), "content-type") ?? "";
    const boundary = boundaryOf(parseHeaderValue(inSource));
    if (type.value.startsWith("multipart/") && boundary !== null) {
      around = [...around, { boundary, isDigest: type.value === "multipart/digest", base }];
      start = null;
    } else {
      const isInDigest = around.at(-1)?.isDigest ?? false;
      part = { start: from, bodyStart, headers, type, isInDigest, base };
    }
  }
  function endPart(end: number): void {
    if (start !== null && part === null) endHeaders(start, end);
    if (part !== null) parts.push({ ...part, end });
    part = null;
  }

  for (let at = 0; at < raw.length; ) {
    const lineFeed = raw.indexOf("\n", at);
    const next = lineFeed === -1 ? raw.length : lineFeed + 1;
    const delimiter = raw.startsWith("--", at) ? delimiterIn(raw.slice(at, next), around) : null;
    if (delimiter !== null) {
      endPart(at);
      around = delimiter.around;
      start = delimiter.isLast ? null : next;
      if (around.length > DEEPEST) return null;
    } else if (start !== null && part === null) {
      headersLength += next - at;
      if (headersLength > MOST_HEADERS) return null;
      const line = raw.slice(at, next);
      if (/^\r*\n?$/.test(line)) endHeaders(start, next);
      else if (!/^[ \t]/.test(line) && !FIELD.test(line)) {
        hasStrayLine = true;
        if (endsAtStrayLine) {
          endHeaders(start, at);
          continue;
        }
      }
    }
    at = next;
  }
  endPart(raw.length);
  return { headers: headersOfMessage ?? "", parts, hasStrayLine };
}

/**
 * The boundary of a multipart, which does not end in spaces (RFC 2046 §5.1.1); `null` if there is none, or a longer one
 * than email programs write.
 */
function boundaryOf({ parameters }: HeaderValue): string | null {
  const boundary = (parameters.get("boundary") ?? "").replace(/(?<![ \t])[ \t]+$/, "");
  return boundary === "" || boundary.length > LONGEST_BOUNDARY ? null : boundary;
}

/** The multiparts that are still open after a boundary line; `null` if the line is not a boundary of any of them. */
function delimiterIn(
  line: string,
  around: readonly Multipart[],
): { readonly around: readonly Multipart[]; readonly isLast: boolean } | null {
  for (let i = around.length - 1; i >= 0; i--) {
    const { boundary } = around[i]!;
    if (!line.startsWith(boundary, 2)) continue;
    const rest = line.slice(2 + boundary.length);
    const isLast = rest.startsWith("--");
    if (/^(?:--)?[ \t]*[\r\n]*$/.test(rest)) {
      return { around: around.slice(0, isLast ? i : i + 1), isLast };
    }
  }
  return null;
}

/** RFC 2557 §4.2: the base of relative references in a header. */
function baseIn(headers: string): string | null {
  const written = headerNamed(headers, "(?:content-base|content-location)") ?? "";
  const url = written.replace(/\s+/g, "");
  return /^https?:/i.test(url) && URL.canParse(url) ? url : null;
}

/** A header that says how a part is read, with the lines that continue it. */
const READING =
  /^(content-type|content-transfer-encoding)[ \t]{0,9}:([^\n]{0,2000}(?:\n[ \t][^\n]{0,2000}){0,50})/gim;
const BLANK_LINE = /\n\r?\n/;
const BOUNDARY_LINE = /^--([^\n]{1,300})/gm;

type StructureProblem = "boundary-missing" | "headers-differ";

/**
 * Returns the problems in the headers of a message and its parts. A multipart without a boundary, or with one that does
 * not occur, hides its contents. If a part has the same header or parameter twice with different values, programs
 * disagree on which of them counts.
 *
 * @param raw The message, with one character for each byte.
 */
export function structureProblems(raw: string): readonly StructureProblem[] {
  const found = new Set<StructureProblem>();
  const lines = boundaryLines(raw);
  const emptyBoundaryAfter = emptyBoundaries(raw);
  const boundaries = new Set<string>();
  let values = new Map<string, string>();
  let end = 0;
  for (const { index, 0: whole, 1: name, 2: value } of raw.matchAll(READING)) {
    if (BLANK_LINE.test(raw.slice(end, index))) values = new Map();
    end = index + whole.length;
    const key = name!.toLowerCase();
    const own = value!.replace(/\s+/g, "").toLowerCase();
    if ((values.get(key) ?? own) !== own) found.add("headers-differ");
    values.set(key, own);
    if (key !== "content-type") continue;
    const header = parseHeaderValue(value!.replace(/[\r\n]/g, ""));
    const { value: type, conflicting } = header;
    if (conflicting.has("boundary") || conflicting.has("charset")) found.add("headers-differ");
    if (type.startsWith("multipart/")) {
      const boundary = boundaryOf(header);
      if (boundary !== null && lines.has(boundary)) boundaries.add(boundary);
      else if (boundary === null || emptyBoundaryAfter(end) !== boundary) {
        found.add("boundary-missing");
      }
    }
  }
  for (const line of lines) if (isAmbiguous(line, boundaries)) found.add("boundary-missing");
  return [...found].sort();
}

/** The end of headers. If nothing but the end of a multipart follows, the expression captures its boundary. */
const HEADERS_END = /\n\r?\n\s*(?:--([^\n]{1,200}?)--[ \t\r]{0,99}(?:$|\n\s*(?:$|--)))?/g;

/**
 * Returns a function that finds the boundary of a multipart whose contents are only the end of it, after an index among
 * its headers. No text can be hidden in such a multipart. The indices must not decrease.
 */
function emptyBoundaries(raw: string): (index: number) => string | null {
  let ends = -1;
  let boundary: string | null = null;
  return (index) => {
    if (ends < index) {
      HEADERS_END.lastIndex = index;
      const found = HEADERS_END.exec(raw);
      ends = found?.index ?? raw.length;
      boundary = found?.[1] ?? null;
    }
    return boundary;
  };
}

/**
 * Whether a line only begins with a boundary. RFC 2046 §5.1.1 treats such a line as a boundary, but most programs do
 * not. A line that begins with the end of a multipart starts no part, and some servers add a footer to this line.
 */
function isAmbiguous(line: string, boundaries: ReadonlySet<string>): boolean {
  if (boundaries.has(line) || boundaries.has(line.replace(/--$/, ""))) return false;
  const longest = Math.min(line.length, LONGEST_BOUNDARY);
  for (let length = 1; length <= longest; length++) {
    if (boundaries.has(line.slice(0, length)) && !line.startsWith("--", length)) return true;
  }
  return false;
}

/** The lines that may be boundaries, without their hyphens. */
function boundaryLines(raw: string): ReadonlySet<string> {
  const lines = new Set<string>();
  for (const [, line] of raw.matchAll(BOUNDARY_LINE)) {
    lines.add(line!.replace(/(?<![ \t\r])[ \t\r]+$/, ""));
  }
  return lines;
}
