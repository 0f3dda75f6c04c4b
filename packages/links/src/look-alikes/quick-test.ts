import type { Names } from "./names.ts";
import { CLASSES, type Edges, MOST, type Spelling, spellingEdges } from "./spellings.ts";
import { weightOfWords } from "./words.ts";

/*
 * A test of bytes that excludes nearly all hosts. A host imitates a site only if one of its tokens, which end at dots
 * and hyphens, is the name of a site, a typo of it, or the name with words before or after it, or if tokens of a label
 * are a name without their hyphens. The first and the last characters of a token, and its length, tell nearly always
 * that it is none of these. The last label of a host is never part of a name.
 */

const HYPHEN = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const COLON = 0x3a;
/** The length of `://`. */
const AFTER_SCHEME = 3;

/** Pairs of characters that look like one. */
const PAIRS = /rn|vv|c[li1]/;

/** Characters that end a token. */
const ENDS = new Uint8Array(256);
for (const byte of [HYPHEN, DOT, SLASH, COLON]) ENDS[byte] = 1;

/** Returns whether the host of a canonical URL may imitate a site. `false` is certain. */
export type MayImitate = (url: Uint8Array, start?: number, end?: number) => boolean;

export function quickTest({ sites, isOwn, typedWrong }: Names): MayImitate {
  const { shortest, longStarts, longEnds, starts, ends, typoStarts, typoEnds } =
    spellingEdges(sites);

  function isName(url: Uint8Array, start: number, end: number): boolean {
    const length = Math.min(end - start, MOST);
    const first2 = (CLASSES[url[start]!]! << 5) | CLASSES[url[start + 1]!]!;
    if (length === 2) return shortest[first2] !== 0;
    const first3 = (first2 << 5) | CLASSES[url[start + 2]!]!;
    if (length === 3) return shortest[first3] !== 0;
    const last3 =
      (CLASSES[url[end - 3]!]! << 10) | (CLASSES[url[end - 2]!]! << 5) | CLASSES[url[end - 1]!]!;
    const first4 = (first3 << 5) | CLASSES[url[start + 3]!]!;
    const last4 = (CLASSES[url[end - 4]!]! << 15) | last3;
    if (length >= 6) {
      const first6 = (first4 << 10) | (CLASSES[url[start + 4]!]! << 5) | CLASSES[url[start + 5]!]!;
      const last6 = (CLASSES[url[end - 6]!]! << 25) | (CLASSES[url[end - 5]!]! << 20) | last4;
      if (longStarts.mayHave(first6, length) && fits(longStarts, first6, url, start, end))
        return true;
      if (longEnds.mayHave(last6, length) && fits(longEnds, last6, url, start, end)) return true;
    }
    return (
      (starts.mayHave(first4, length) && fits(starts, first4, url, start, end)) ||
      (ends.mayHave(last4, length) && fits(ends, last4, url, start, end)) ||
      (typoStarts.mayHave(first3, length) && fits(typoStarts, first3, url, start, end)) ||
      (typoEnds.mayHave(last3, length) && fits(typoEnds, last3, url, start, end))
    );
  }

  /** Whether a token is, or has, one of the spellings with an edge. */
  function fits(edges: Edges, edge: number, url: Uint8Array, start: number, end: number): boolean {
    let letters = 0;
    for (let at = start; at < end; at++) letters |= 1 << CLASSES[url[at]!]!;
    for (let entry = edges.lastOf(edge); entry !== 0; entry = edges.before[entry]!) {
      // A typo lacks at most one character of the name. For characters written as "rn", there are other spellings.
      const missing = edges.letters[entry]! & ~letters;
      if ((missing & (missing - 1)) !== 0) continue;
      const spelling = edges.spellings[entry]!;
      if (missing === 0 && isSpelt(spelling, url, start, end)) return true;
      if (!spelling.hasTypos || !mayBeTypo(spelling.classes, url, start, end)) continue;
      if (typedWrong(textOf(url, start, end)) !== null) return true;
    }
    return false;
  }

  const joined = new Uint8Array(256);

  /** Whether the tokens of a label are a name without their hyphens, or two of them are. */
  function isNameWithHyphens(url: Uint8Array, start: number, end: number): boolean {
    const isPunycode = url[start + 2] === HYPHEN && url[start + 3] === HYPHEN;
    if (isPunycode || end - start > joined.length) return true;
    let length = 0;
    let beforeLast = 0;
    let last = 0;
    for (let at = start; at <= end; at++) {
      const byte = at < end ? url[at]! : HYPHEN;
      if (byte !== HYPHEN) {
        joined[length++] = byte;
        continue;
      }
      if (last > 0 && length - beforeLast > 1 && isName(joined, beforeLast, length)) return true;
      beforeLast = last;
      last = length;
    }
    return length > 1 && isName(joined, 0, length);
  }

  function isOthers(url: Uint8Array, start: number, end: number): boolean {
    const host = textOf(url, start, endOfHost(url, start, end));
    const second = host.lastIndexOf(".", host.lastIndexOf(".") - 1);
    const third = host.lastIndexOf(".", second - 1);
    return !isOwn(host.slice(second + 1)) && !isOwn(host.slice(third + 1));
  }

  return (url, start = 0, end = url.length) => {
    let at = start;
    while (at < end && url[at] !== COLON) at++;
    at += AFTER_SCHEME;
    const host = at;
    let label = at;
    let token = at;
    for (; at < end; at++) {
      const byte = url[at]!;
      if (ENDS[byte] === 0) continue;
      if (byte !== DOT && byte !== HYPHEN) return false;
      if (at - token > 1 && isName(url, token, at)) return isOthers(url, host, end);
      if (byte === DOT) {
        if (label !== token && isNameWithHyphens(url, label, at)) return isOthers(url, host, end);
        label = at + 1;
      }
      token = at + 1;
    }
    return false;
  };
}

/** Whether a token is a name, or begins or ends with one and words that may belong to an imitation. */
function isSpelt(
  { site, classes }: Spelling,
  url: Uint8Array,
  start: number,
  end: number,
): boolean {
  const { length } = classes;
  const atEnd = end - length;
  if (atEnd < start) return false;
  const mayBeBeside = (from: number, to: number) =>
    site.isUnmistakable || weightOfWords(textOf(url, from, to)) !== null;
  return (
    (areSame(classes, url, start) && mayBeBeside(start + length, end)) ||
    (areSame(classes, url, atEnd) && mayBeBeside(start, atEnd))
  );
}

function areSame(classes: readonly number[], url: Uint8Array, start: number): boolean {
  for (let i = 0; i < classes.length; i++) {
    if (CLASSES[url[start + i]!] !== classes[i]) return false;
  }
  return true;
}

/** Whether only one place differs, of up to three characters: those of "rn" and another one, which may be swapped. */
function mayBeTypo(
  classes: readonly number[],
  url: Uint8Array,
  start: number,
  end: number,
): boolean {
  const length = Math.min(classes.length, end - start);
  let same = 0;
  while (same < length && CLASSES[url[start + same]!] === classes[same]) same++;
  let sameAtEnd = 0;
  while (
    sameAtEnd < length &&
    CLASSES[url[end - 1 - sameAtEnd]!] === classes[classes.length - 1 - sameAtEnd]
  ) {
    sameAtEnd++;
  }
  const others = Math.max(classes.length, end - start) - same - sameAtEnd;
  return others <= 2 || (others === 3 && PAIRS.test(textOf(url, start, end)));
}

function textOf(url: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at++) text += String.fromCharCode(url[at]!);
  return text;
}

function endOfHost(url: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && url[at] !== SLASH && url[at] !== COLON) at++;
  return at;
}
