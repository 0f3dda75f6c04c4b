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

/** Pairs of characters that look like one. */
const PAIRS = /rn|vv|c[li1]/;

/** Tests of hosts in bytes. Hosts are canonical. */
export interface QuickTest {
  /**
   * Whether a part of a host, which ends at a dot or a hyphen, may be or have the name of a site. `false` is certain.
   * The label after the last dot need not be tested. A host without hyphens and without such a part imitates no site.
   */
  readonly mayBeName: (bytes: Uint8Array, start: number, end: number) => boolean;
  /** Whether a host imitates a site. */
  readonly isImitation: (bytes: Uint8Array, start: number, end: number) => boolean;
}

/** @param decide tells whether a host imitates a site. It is asked about the few hosts that the test does not exclude. */
export function quickTest(
  { sites, isOwn, typedWrong }: Names,
  decide: (host: string) => boolean,
): QuickTest {
  const { shortest, longStarts, longEnds, starts, ends, typoStarts, typoEnds } =
    spellingEdges(sites);

  function mayBeName(url: Uint8Array, start: number, end: number): boolean {
    const first = CLASSES[url[start]!]!;
    const first2 = (first << 5) | CLASSES[url[start + 1]!]!;
    if (end - start < 3) return end - start === 2 && shortest[first2] !== 0;
    const first3 = (first2 << 5) | CLASSES[url[start + 2]!]!;
    if (end - start === 3) return shortest[first3] !== 0;
    const last = CLASSES[url[end - 1]!]!;
    const last3 = (CLASSES[url[end - 3]!]! << 10) | (CLASSES[url[end - 2]!]! << 5) | last;
    const first4 = (first3 << 5) | CLASSES[url[start + 3]!]!;
    const last4 = (CLASSES[url[end - 4]!]! << 15) | last3;
    let marks = starts.mark(first4) | ends.mark(last4);
    if (end - start >= 6) {
      const at4 = (CLASSES[url[start + 4]!]! << 5) | CLASSES[url[start + 5]!]!;
      const before4 = (CLASSES[url[end - 6]!]! << 5) | CLASSES[url[end - 5]!]!;
      // Without a branch for each edge, processors test all of them at the same time.
      marks |=
        longStarts.mark((first4 << 10) | at4) |
        longEnds.mark((before4 << 20) | last4) |
        typoStarts.mark((first3 << 5) | last) |
        typoEnds.mark((first << 15) | last3);
    }
    return (marks & 1) !== 0;
  }

  function isName(url: Uint8Array, start: number, end: number): boolean {
    if (!mayBeName(url, start, end)) return false;
    if (end - start < 4) return true;
    const fitsAt = (edges: Edges, edge: number) => fits(edges, edge, url, start, end);
    if (fitsAt(starts, edgeOf(url, start, start + 4))) return true;
    if (fitsAt(ends, edgeOf(url, end - 4, end))) return true;
    if (end - start < 6) return false;
    return (
      fitsAt(longStarts, edgeOf(url, start, start + 6)) ||
      fitsAt(longEnds, edgeOf(url, end - 6, end)) ||
      fitsAt(typoStarts, startAndLast(url, start, end)) ||
      fitsAt(typoEnds, firstAndEnd(url, start, end))
    );
  }

  /** Whether a token is, or has, one of the spellings with an edge. */
  function fits(edges: Edges, edge: number, url: Uint8Array, start: number, end: number): boolean {
    if (!edges.mayHave(edge, Math.min(end - start, MOST))) return false;
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

  /** Whether a host may imitate a site. `false` is certain, and nearly always the result. */
  function mayImitate(url: Uint8Array, start: number, end: number): boolean {
    let label = start;
    let token = start;
    for (let at = start; at < end; at++) {
      const byte = url[at];
      if (byte !== DOT && byte !== HYPHEN) continue;
      if (at - token > 1 && isName(url, token, at)) return true;
      if (byte === DOT) {
        if (label !== token && isNameWithHyphens(url, label, at)) return true;
        label = at + 1;
      }
      token = at + 1;
    }
    return false;
  }

  function decided(url: Uint8Array, start: number, end: number): boolean {
    if (!mayImitate(url, start, end)) return false;
    const host = textOf(url, start, end);
    const second = host.lastIndexOf(".", host.lastIndexOf(".") - 1);
    const third = host.lastIndexOf(".", second - 1);
    // Most of these hosts are those of the sites themselves.
    if (isOwn(host.slice(second + 1)) || isOwn(host.slice(third + 1))) return false;
    return decide(host);
  }

  const recent = new Uint8Array(RECENT * SLOT);

  function isImitation(url: Uint8Array, start: number, end: number): boolean {
    const length = end - start;
    if (length > LONGEST) return decided(url, start, end);
    let hash = length;
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + url[at]!) | 0;
    const slot = (hash & (RECENT - 1)) * SLOT;
    const of = slot + 2 - start;
    let at = recent[slot] === length ? start : end + 1;
    while (at < end && recent[of + at] === url[at]) at++;
    if (at !== end) {
      recent[slot + 1] = decided(url, start, end) ? 1 : 0;
      recent[slot] = length;
      for (at = start; at < end; at++) recent[of + at] = url[at]!;
    }
    return recent[slot + 1] === 1;
  }

  return { mayBeName, isImitation };
}

function edgeOf(url: Uint8Array, start: number, end: number): number {
  let edge = 0;
  for (let at = start; at < end; at++) edge = (edge << 5) | CLASSES[url[at]!]!;
  return edge;
}

function startAndLast(url: Uint8Array, start: number, end: number): number {
  return (edgeOf(url, start, start + 3) << 5) | CLASSES[url[end - 1]!]!;
}

function firstAndEnd(url: Uint8Array, start: number, end: number): number {
  return (CLASSES[url[start]!]! << 15) | edgeOf(url, end - 3, end);
}

/** How many hosts are remembered, because many URLs have the same host: a power of two. */
const RECENT = 8192;
/** The bytes for each of them: the length of the host, whether it imitates a site, and the host. */
const SLOT = 48;
const LONGEST: number = SLOT - 2;

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
