import { countsInside } from "./cheap-hosts.ts";
import { isTypoOf, type Names } from "./names.ts";
import {
  CLASSES,
  EDGE,
  edgeOf,
  endOutline,
  type Spelling,
  spellingTables,
  startOutline,
} from "./spellings.ts";
import { weightOfWords } from "./words.ts";

/*
 * A test of bytes that excludes nearly all hosts. A host imitates a site only if one of its tokens, which end at dots
 * and hyphens, is the name of a site, a typo of it, or the name with words before or after it, or if tokens of a label
 * are a name without their hyphens. The characters at the ends of a token tell nearly always that it is none of these.
 * The last label of a host is never part of a name.
 */

const HYPHEN = 0x2d;
const DOT = 0x2e;

/** Returns whether a canonical host in bytes imitates a well-known site. */
export type QuickTest = (bytes: Uint8Array, start: number, end: number) => boolean;

/**
 * @param decide tells whether a host imitates a site. It is asked about the few hosts that the test does not exclude.
 */
export function quickTest({ sites }: Names, decide: (host: string) => boolean): QuickTest {
  const { short, starts, ends, typos } = spellingTables(sites);

  /** Whether a token is a name, or begins or ends with one and words that may belong to an imitation, or is a typo. */
  function isName(url: Uint8Array, start: number, end: number): boolean {
    const length = end - start;
    if (length < EDGE) return length > 1 && short.mayHave(edgeOf(url, start, length)) !== 0;
    const first = edgeOf(url, start, EDGE);
    const last = edgeOf(url, end - EDGE, EDGE);
    const startOfTypo = startOutline(first, last, length);
    const endOfTypo = endOutline(first, last, length);
    // Without a branch for each lookup, processors make all of them at the same time.
    const marks =
      starts.mayHave(first) |
      ends.mayHave(last) |
      typos.mayHave(startOfTypo) |
      typos.mayHave(endOfTypo);
    return (
      marks !== 0 &&
      (starts.some(first, fits, url, start, end) ||
        ends.some(last, fits, url, start, end) ||
        typos.some(startOfTypo, fits, url, start, end) ||
        typos.some(endOfTypo, fits, url, start, end))
    );
  }

  /** Whether a token is a spelling, or begins or ends with it and such words, or is a typo of it. */
  function fits(spelling: Spelling, url: Uint8Array, start: number, end: number): boolean {
    const { site, bytes, hasWords } = spelling;
    const length = end - start;
    const shorter = Math.min(bytes.length, length);
    const mayBeTypo = length - shorter <= 1 && bytes.length - shorter <= 1;
    if (!mayBeTypo && (shorter === length || !hasWords)) return false;
    let same = 0;
    while (same < shorter && isSame(bytes, same, url, start + same)) same++;
    if (same === bytes.length && mayBeBeside(spelling, url, start + same, end)) return true;
    let sameAtEnd = 0;
    while (
      sameAtEnd < shorter &&
      isSame(bytes, bytes.length - 1 - sameAtEnd, url, end - 1 - sameAtEnd)
    )
      sameAtEnd++;
    if (sameAtEnd === bytes.length && mayBeBeside(spelling, url, start, end - sameAtEnd))
      return true;
    if (!mayBeTypo) return false;
    const differing = Math.max(bytes.length, length) - same - sameAtEnd;
    const isSwapped =
      differing === 2 &&
      length === bytes.length &&
      isSame(bytes, same, url, start + same + 1) &&
      isSame(bytes, same + 1, url, start + same);
    return (differing <= 1 || isSwapped) && isTypoOf(textOf(url, start, end), site);
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
      if (last > 0 && isName(joined, beforeLast, length)) return true;
      beforeLast = last;
      last = length;
    }
    return isName(joined, 0, length);
  }

  /** Whether a host may imitate a site. `false` is certain, and nearly always the result. */
  function mayImitate(url: Uint8Array, start: number, end: number): boolean {
    let label = start;
    let token = start;
    for (let at = start; at < end; at++) {
      const byte = url[at];
      if (byte !== DOT && byte !== HYPHEN) continue;
      if (isName(url, token, at)) return true;
      if (byte === DOT) {
        if (label !== token && isNameWithHyphens(url, label, at)) return true;
        label = at + 1;
      }
      token = at + 1;
    }
    return false;
  }

  /** What was decided, because many URLs have the same host. */
  const decisions = new Map<string, boolean>();

  return (url, start, end) => {
    if (!mayImitate(url, start, end)) return false;
    const host = textOf(url, start, end);
    let isImitation = decisions.get(host);
    if (isImitation === undefined) {
      isImitation = decide(host);
      if (decisions.size === MOST_DECISIONS) decisions.clear();
      decisions.set(host, isImitation);
    }
    return isImitation;
  };
}

const MOST_DECISIONS = 1000;

/** Whether two characters are of the same class. */
function isSame(bytes: Uint8Array, index: number, url: Uint8Array, at: number): boolean {
  return CLASSES[bytes[index]!] === CLASSES[url[at]!];
}

/** Whether the rest of a token may stand beside a name. */
function mayBeBeside(
  { site, hasWords }: Spelling,
  url: Uint8Array,
  start: number,
  end: number,
): boolean {
  if (start === end) return true;
  if (!hasWords || site.isUnmistakable || countsInside(site)) return hasWords;
  return weightOfWords(textOf(url, start, end)) !== null;
}

function textOf(url: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at++) text += String.fromCharCode(url[at]!);
  return text;
}
