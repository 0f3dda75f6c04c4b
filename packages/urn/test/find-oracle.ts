import type { UrnSyntax } from "@x/urn";
import { oracleEnd } from "./oracle.ts";

/** For each kind of escape, the form of the whole escape, and the character that it stands for. */
const ESCAPES: readonly (readonly [whole: RegExp, meaning: (digits: string) => string])[] = [
  [/^%(?:25)*(..)$/s, hexadecimal],
  [/^=([0-9A-F]{2})$/, hexadecimal],
  [/^\\x(..)$/s, hexadecimal],
  [/^[\\%]u(....)$/s, hexadecimal],
  [/^\\U(.{8})$/s, hexadecimal],
  [/^\\([0-7]{1,3})$/, (digits) => String.fromCharCode(Number.parseInt(digits, 8))],
  [/^\\[abefnrstv]$/, () => "\n"],
  [/^(?:\x1b|\\e|\\x1b|\\u001b|\\33|\\033|\^\[)\[[0-9:;<=>?]*[ -/]*[^ -?]$/i, () => "\x1b"],
  [/^\x9b[0-9:;<=>?]*[ -/]*[^ -?]$/, () => "\x1b"],
  [/^\x1b[ -/]*[0-~]$/, () => "\x1b"],
];

function hexadecimal(digits: string): string {
  return /^[0-9A-F]+$/i.test(digits)
    ? String.fromCodePoint(Number.parseInt(digits, 16) % 0x110000)
    : "a";
}

/** The escape before an index that stands for a character at which a word ends, or `null`. */
function escapeBefore(text: string, at: number): string | null {
  for (let length = 1; length <= Math.min(64, at); length++) {
    const opened = text.slice(at - length, at);
    for (const [whole, meaning] of ESCAPES) {
      const match = whole.exec(opened);
      if (match !== null && !/\w/.test(meaning(match[1] ?? ""))) return opened;
    }
  }
  return null;
}

/** The underscores directly before an index, if a word starts with them, and otherwise `""`. */
function underscoresBefore(text: string, at: number): string {
  const [underscores = ""] = /(?<!_)_{1,63}$/.exec(text.slice(0, at)) ?? [];
  const start = at - underscores.length;
  const isInWord = /\w/.test(text.charAt(start - 1)) && escapeBefore(text, start) === null;
  return isInWord ? "" : underscores;
}

/** Whether `urn` at an index is the last part of another scheme, as in `x-urn:`. */
function isInOtherScheme(text: string, at: number): boolean {
  if (!/(?<![+.-])[+.-]$/.test(text.slice(0, at))) return false;
  for (let i = at; /[0-9A-Za-z+.-]/.test(text.charAt(i - 1)); i--) {
    if (escapeBefore(text, i) !== null) return false;
    if (/[A-Za-z]/.test(text.charAt(i - 1))) return true;
  }
  return false;
}

/** The character, the escape and the underscores directly before a URN. */
interface Around {
  readonly opening: string;
  readonly opened: string | null;
  readonly underscores: string;
}

/** Whether the text around a URN ends it at an index. */
function closes(text: string, at: number, { opening, opened, underscores }: Around): boolean {
  const rest = text.slice(at);
  if (underscores !== "" && text.charAt(at - 1) !== "_") {
    const [run = ""] = /^_+(?!\w)/.exec(rest) ?? [];
    if (run !== "" && run.length >= Math.min(underscores.length, 3)) return true;
  }
  if (/^[,;]urn:[0-9a-z][0-9a-z-]{0,31}:[^\s"<>]/i.test(rest)) return true;
  if (/^&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});/i.test(rest)) return true;
  if (/['*~]/.test(opening) && rest.startsWith(opening)) return true;
  const isInQuery = opening === "=" || /^%[^u]/.test(opened ?? "");
  if (isInQuery && rest.startsWith("&")) return true;
  const [, digits] =
    (/^%[^u]/.test(opened ?? "") ? /^%(?:25)*([0-9a-f]{2})/i : /^=([0-9A-F]{2})/).exec(rest) ?? [];
  if (digits === undefined || !/^(?:%[^u]|=)/.test(opened ?? "")) return false;
  return !/^[A-Za-z0-9()+,\-.:=@;$_!*%/?#]$/.test(hexadecimal(digits));
}

/**
 * A second implementation that applies the rules for the start and the end of URNs at each index, as they are stated.
 */
export function oracleFind(
  text: string,
  { syntax, trimDelimiters }: { readonly syntax: UrnSyntax; readonly trimDelimiters?: boolean },
): [start: number, end: number][] {
  const found: [number, number][] = [];
  let last: { end: number; around: Around } | null = null;
  let i = 0;
  while (i < text.length) {
    const opening = text.charAt(i - 1);
    const isWord = /\w/.test(opening);
    const opened = isWord ? escapeBefore(text, i) : null;
    const underscores = underscoresBefore(text, i);
    // The entries of a list have the same text around them.
    const isListed: boolean = last?.end === i - 1 && /[,;]/.test(opening);
    const around: Around = isListed ? last!.around : { opening, opened, underscores };
    let limit = i;
    while (limit < text.length && !(trimDelimiters && closes(text, limit, around))) limit++;
    const end =
      (isWord && opened === null && underscores === "") || isInOtherScheme(text, i)
        ? -1
        : oracleEnd(text.slice(0, limit), i, syntax);
    if (end === -1) {
      i++;
    } else {
      found.push([i, end]);
      last = { end, around };
      i = end;
    }
  }
  return found;
}
