import { TABLE } from "./uts46-table.generated.ts";

/**
 * The status of a character in a host: valid characters stay, mapped characters are replaced by a text, and ignored
 * characters are dropped. A mark is valid except at the start of a label. No browser accepts a disallowed character.
 * For an undecided character, such as one that is not assigned yet, the table has no answer.
 */
export type HostCharacter = "valid" | "mark" | "ignored" | "disallowed" | "undecided" | Mapping;

interface Mapping {
  readonly text: string;
}

/** The first code point of the table. */
const FIRST = 0x80;

const KINDS: ReadonlyMap<string, HostCharacter> = new Map([
  ["v", "valid"],
  ["m", "mark"],
  ["i", "ignored"],
  ["d", "disallowed"],
  ["u", "undecided"],
]);

/** The table as runs of characters. `tables/encode.js` describes their encoding. */
interface Table {
  /** The first code point of each run. */
  readonly starts: Uint32Array;
  /** For each run, its kind, the distance to the mapped characters, or the texts they are mapped to. */
  readonly runs: readonly (HostCharacter | "alternating" | number | readonly Mapping[])[];
}

let table: Table | null = null;

/** The status of a code point above U+007F in a host (UTS #46 §5). */
export function hostCharacter(code: number): HostCharacter {
  // The table is read on first use, because most programs never read a host that is not ASCII.
  table ??= readTable(TABLE);
  const { starts, runs } = table;
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= code) low = middle;
    else high = middle;
  }
  const run = runs[low]!;
  const offset = code - starts[low]!;
  if (typeof run === "number") return { text: String.fromCodePoint(code + run) };
  if (run === "alternating") {
    return offset % 2 === 0 ? { text: String.fromCodePoint(code + 1) } : "valid";
  }
  return Array.isArray(run) ? run[offset]! : (run as HostCharacter);
}

function readTable(text: string): Table {
  const starts: number[] = [];
  const runs: Table["runs"][number][] = [];
  let at = 0;
  let start = FIRST;
  let last = 0;

  function number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 32) {
      const digit = digitValue(text.charCodeAt(at++));
      value += (digit & 31) * scale;
      if (digit < 32) return value;
    }
  }

  function signed(): number {
    const value = number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  function mapping(): Mapping {
    const codes = Array.from({ length: number() }, () => {
      last += signed();
      return last;
    });
    return { text: String.fromCodePoint(...codes) };
  }

  while (at < text.length) {
    const kind = text[at++]!;
    const length = number();
    starts.push(start);
    start += length;
    if (kind === "o") runs.push(signed());
    else if (kind === "a") runs.push("alternating");
    else if (kind === "t") runs.push(Array.from({ length }, mapping));
    else runs.push(KINDS.get(kind)!);
  }
  return { starts: Uint32Array.from(starts), runs };
}

/** The value of a digit. The digits are A to Z, a to z, 0 to 9, `-` and `_`, in this order. */
function digitValue(code: number): number {
  if (code >= 0x61) return code - 0x61 + 26;
  if (code === 0x5f) return 63;
  if (code >= 0x41) return code - 0x41;
  return code === 0x2d ? 62 : code - 0x30 + 52;
}
