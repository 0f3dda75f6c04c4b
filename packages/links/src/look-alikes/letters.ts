import { decodeLabel, PUNYCODE } from "@x/canon/punycode";
import { LOOK_ALIKES } from "./letter-table.generated.ts";

/** A letter that looks like an ASCII character. */
export interface LookAlike {
  readonly letter: string;
  /** The ASCII character, in lower case. */
  readonly like: string;
  /** The script of the letter, as Unicode names it: `"Cyrillic"`. */
  readonly script: string;
}

/** A host with letters that look like ASCII characters. */
export interface LookAlikeHost {
  /** The host as browsers could show it. */
  readonly shown: string;
  /** The host that it looks like, in ASCII; `null` if it also has characters that do not look like ASCII. */
  readonly resembles: string | null;
  /** The look-alike letters, each once, in the order of the host. */
  readonly letters: readonly LookAlike[];
}

let table: ReadonlyMap<string, LookAlike> | null = null;

function readTable(): ReadonlyMap<string, LookAlike> {
  const letters = new Map<string, LookAlike>();
  for (const [script, pairs] of Object.entries(LOOK_ALIKES)) {
    const name = script.replaceAll("_", " ");
    const characters = [...pairs];
    for (let i = 0; i < characters.length; i += 2) {
      letters.set(characters[i]!, {
        letter: characters[i]!,
        like: characters[i + 1]!,
        script: name,
      });
    }
  }
  return letters;
}

/** The entry for a look-alike character; `null` if the character is not one. */
export function lookAlike(character: string): LookAlike | null {
  table ??= readTable();
  return table.get(character) ?? null;
}

const NON_ASCII = /[^\0-\x7f]/;

/**
 * The letters of a canonical host that look like ASCII characters. A label counts only if all of its letters look like
 * ASCII, or if some are ASCII, because nobody would mistake other labels for ASCII. `null` if there are no such
 * letters.
 */
export function lookAlikesIn(host: string): LookAlikeHost | null {
  if (!host.includes(PUNYCODE)) return null;
  const letters = new Map<string, LookAlike>();
  const shown: string[] = [];
  const resembling: string[] = [];
  let isWhole = true;
  for (const label of host.split(".")) {
    const name = decodeLabel(label) ?? label;
    const like = resemblance(name);
    shown.push(name);
    resembling.push(like.text);
    if (!like.isWhole) isWhole = false;
    if (like.isWhole || /[a-z]/.test(name))
      for (const one of like.letters) letters.set(one.letter, one);
  }
  if (letters.size === 0) return null;
  return {
    shown: shown.join("."),
    resembles: isWhole ? resembling.join(".") : null,
    letters: [...letters.values()],
  };
}

function resemblance(label: string) {
  const letters: LookAlike[] = [];
  let text = "";
  for (const character of label) {
    const found = NON_ASCII.test(character) ? lookAlike(character) : null;
    if (found !== null) letters.push(found);
    text += found?.like ?? character;
  }
  return { text, letters, isWhole: !NON_ASCII.test(text) };
}

/** A host followed by a character that browsers accept in hosts, but that looks like `/`, `?` or `:`. */
const END_ALIKE =
  /^((?:[a-z\d-]+\.)+[a-z]{2,})([\u2044\u2215\u2571\u27cb\u29f8\u2cc6\u3033\u31d3\u30ce\u0241\u0294\u02d0\u02f8\ua789])/;

/**
 * The start of a canonical host that looks like a whole host, and the character that looks like its end; `null` if
 * there is none.
 */
export function hostAlikeIn(
  host: string,
): { readonly resembles: string; readonly end: string } | null {
  if (!host.includes(PUNYCODE)) return null;
  const decoded = host.split(".").map((label) => decodeLabel(label) ?? label);
  const [, resembles, end] = END_ALIKE.exec(decoded.join(".")) ?? [];
  return resembles === undefined ? null : { resembles, end: end! };
}
