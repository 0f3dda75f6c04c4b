import { type Names, SHORTEST_TYPO, type Site } from "./names.ts";
import { CLASSES, classAt, type Edges, type Spelling, spellingEdges } from "./spellings.ts";
import { weightOfWords } from "./words.ts";

/*
 * A test of bytes that excludes nearly all hosts. A host imitates a site only if one of its tokens, which end at dots
 * and hyphens, is the name of a site, a typo of it, or the name with words before or after it, or if tokens of a label
 * are a name without their hyphens. The four characters at the edges of a token tell nearly always that it is none of
 * these. The last label of a host is never part of a name.
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
  const { shortest, shortStarts, shortEnds, starts, ends, typoStarts, typoEnds } =
    spellingEdges(sites);

  function mayBeName(url: Uint8Array, start: number, end: number): boolean {
    const length = end - start;
    const first = CLASSES[url[start]!]!;
    const first2 = (first << 5) | CLASSES[url[start + 1]!]!;
    if (length < 3) return length === 2 && shortest[first2] !== 0;
    const first3 = (first2 << 5) | CLASSES[url[start + 2]!]!;
    if (length === 3) return shortest[first3] !== 0;
    const last = CLASSES[url[end - 1]!]!;
    const last3 = (CLASSES[url[end - 3]!]! << 10) | (CLASSES[url[end - 2]!]! << 5) | last;
    const fourth = CLASSES[url[start + 3]!]!;
    const beforeLast3 = CLASSES[url[end - 4]!]!;
    let marks = shortStarts.mark(first3, fourth) | shortEnds.mark(last3, beforeLast3);
    if (length > 4) {
      // Without a branch for each edge, processors test all of them at the same time.
      marks |=
        starts.mark((first3 << 5) | fourth, CLASSES[url[start + 4]!]!) |
        ends.mark((beforeLast3 << 15) | last3, CLASSES[url[end - 5]!]!) |
        typoStarts.mark(first3, last) |
        typoEnds.mark(last3, first);
    }
    return (marks & 1) !== 0;
  }

  /** Whether a token is a name, or begins or ends with one and words that may belong to an imitation, or is a typo. */
  function isName(url: Uint8Array, start: number, end: number): boolean {
    if (!mayBeName(url, start, end)) return false;
    if (end - start < 4) return true;
    const [first3, last3] = [edgeOf(url, start), edgeOf(url, end - 3)];
    const [fourth, beforeLast3] = [CLASSES[url[start + 3]!]!, CLASSES[url[end - 4]!]!];
    if (
      fitsAny(shortStarts, first3, fourth, url, start, end) ||
      fitsAny(shortEnds, last3, beforeLast3, url, start, end)
    )
      return true;
    if (end - start === 4) return false;
    const [fifth, beforeLast4] = [CLASSES[url[start + 4]!]!, CLASSES[url[end - 5]!]!];
    return (
      fitsAny(starts, (first3 << 5) | fourth, fifth, url, start, end) ||
      fitsAny(ends, (beforeLast3 << 15) | last3, beforeLast4, url, start, end) ||
      fitsAny(typoStarts, first3, CLASSES[url[end - 1]!]!, url, start, end) ||
      fitsAny(typoEnds, last3, CLASSES[url[start]!]!, url, start, end)
    );
  }

  /** Whether a token is, or has, one of the spellings with an edge. */
  function fitsAny(
    edges: Edges,
    edge: number,
    one: number,
    url: Uint8Array,
    start: number,
    end: number,
  ): boolean {
    if ((edges.mark(edge, one) & 1) === 0) return false;
    for (let i = edges.lastOf(edge); i !== 0; i = edges.before[i]!)
      if (fits(edges.spellings[i]!, url, start, end)) return true;
    return false;
  }

  /** Whether a token is a spelling, or begins or ends with it and such words, or is a typo of it. */
  function fits(
    { site, text, hasWords, hasTypos }: Spelling,
    url: Uint8Array,
    start: number,
    end: number,
  ): boolean {
    const { length } = text;
    const others = end - start - length;
    const most = Math.min(length, end - start);
    let same = 0;
    while (same < most && CLASSES[url[start + same]!] === classAt(text, same)) same++;
    if (same === length && others === 0) return true;
    let sameAtEnd = 0;
    while (
      sameAtEnd < most &&
      CLASSES[url[end - 1 - sameAtEnd]!] === classAt(text, length - 1 - sameAtEnd)
    ) {
      sameAtEnd++;
    }
    if (hasWords) {
      if (same === length && mayBeBeside(site, url, start + length, end)) return true;
      if (sameAtEnd === length && mayBeBeside(site, url, start, end - length)) return true;
    }
    if (!hasTypos || end - start < SHORTEST_TYPO) return false;
    const differing = Math.max(length, end - start) - same - sameAtEnd;
    const at = start + same;
    const isPossible =
      differing === 2 && others === 0
        ? classAt(text, same) === CLASSES[url[at + 1]!] &&
          classAt(text, same + 1) === CLASSES[url[at]!]
        : // Up to three characters differ if one of two letters is written as two characters.
          differing <= 1 || (differing <= 3 && PAIRS.test(textOf(url, start, end)));
    return isPossible && typedWrong(textOf(url, start, end)) !== null;
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

/** How many hosts are remembered, because many URLs have the same host: a power of two. */
const RECENT = 8192;
/** The bytes for each of them: the length of the host, whether it imitates a site, and the host. */
const SLOT = 40;
const LONGEST: number = SLOT - 2;

function mayBeBeside(site: Site, url: Uint8Array, start: number, end: number): boolean {
  return site.isUnmistakable || weightOfWords(textOf(url, start, end)) !== null;
}

/** Three classes of a token. */
function edgeOf(url: Uint8Array, start: number): number {
  const [first, second] = [CLASSES[url[start]!]!, CLASSES[url[start + 1]!]!];
  return (first << 10) | (second << 5) | CLASSES[url[start + 2]!]!;
}

function textOf(url: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at++) text += String.fromCharCode(url[at]!);
  return text;
}
