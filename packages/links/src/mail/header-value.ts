import { decodePercents } from "../unwrap/decode.ts";

/** The value of a header such as `Content-Type`, in lower case, and its parameters. */
export interface HeaderValue {
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** The parameters that the header has several times, with different values. */
  readonly conflicting: ReadonlySet<string>;
}

/** The maximum length of a header, in characters. Real headers are shorter. */
const LONGEST_VALUE = 65_536;
const BETWEEN_SEMICOLONS = /(?:[^;"]|"(?:[^"\\]|\\[\s\S])*(?:"|$))+/g;
const QUOTED = /"((?:[^"\\]|\\[\s\S])*)(?:"[\s\S]*|$)/;
/** RFC 2231 §3 and §4: the name of a parameter whose value is split or percent-encoded. */
const PIECE = /^([^*]*)\*(?:(\d{1,9})(\*)?)?$/;

/** The value of the first header with a name, on one line; `null` if there is none. */
export function headerNamed(headers: string, name: string): string | null {
  const field = new RegExp(`(?<![^\\n])${name}[ \\t]*:([^\\n]*(?:\\n[ \\t][^\\n]*)*)`, "i");
  const value = field.exec(headers)?.[1];
  return value === undefined ? null : value.slice(0, LONGEST_VALUE).replace(/[\r\n]/g, "");
}

/**
 * Reads a header with parameters. If a parameter occurs twice, the first one counts.
 *
 * @see RFC 2045 §5.1
 */
export function parseHeaderValue(header: string): HeaderValue {
  const [value = "", ...rest] = withoutComments(header).match(BETWEEN_SEMICOLONS) ?? [];
  const parameters = new Map<string, string>();
  const conflicting = new Set<string>();
  const inPieces = new Map<string, string[]>();
  for (const parameter of rest) {
    const equals = parameter.indexOf("=");
    if (equals === -1) continue;
    const name = parameter.slice(0, equals).trim().toLowerCase();
    const text = unquote(parameter.slice(equals + 1));
    const [, base, number, star] = PIECE.exec(name) ?? [];
    if (base === undefined) {
      if ((parameters.get(name) ?? text) !== text) conflicting.add(name);
      if (!parameters.has(name)) parameters.set(name, text);
      continue;
    }
    const isEncoded = number === undefined || star !== undefined;
    const pieces = inPieces.get(base) ?? [];
    pieces[Math.min(Number(number ?? 0), MOST_PIECES)] ??= isEncoded ? decodePiece(text) : text;
    inPieces.set(base, pieces);
  }
  for (const [name, pieces] of inPieces) {
    const text = pieces.join("");
    if ((parameters.get(name) ?? text) !== text) conflicting.add(name);
    parameters.set(name, text);
  }
  return { value: unquote(value).toLowerCase(), parameters, conflicting };
}

const MOST_PIECES = 999;

function decodePiece(text: string): string {
  return decodePercents(text.replace(/^[\w-]*'[\w-]*'/, ""));
}

/** A value without its quotation marks and backslashes, if it is quoted. */
function unquote(value: string): string {
  return value.trim().replace(QUOTED, (_, inside: string) => inside.replace(/\\([\s\S])/g, "$1"));
}

/** A header without its comments in parentheses. If a comment does not end, the header stays as it is. */
function withoutComments(header: string): string {
  let kept = "";
  let depth = 0;
  let isQuoted = false;
  /** Inside a value such as `a(1).pdf`, a parenthesis is a character like any other. */
  let mayOpen = true;
  for (let i = 0; i < header.length; i++) {
    let character = header.charAt(i);
    if (character === "\\") character = header.slice(i, ++i + 1);
    else if (character === '"' && depth === 0) isQuoted = !isQuoted;
    if (character === "(" && !isQuoted && (mayOpen || depth > 0)) depth++;
    else if (character === ")" && depth > 0) depth--;
    else if (depth === 0) {
      kept += character;
      mayOpen = character === ";" || /\s/.test(character) || (mayOpen && character !== "=");
    }
  }
  return depth === 0 ? kept : header;
}
