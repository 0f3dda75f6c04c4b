/** A run of a text that was kept, removed or inserted. */
export interface Change {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** If there are more single insertions and removals, everything between the first and the last is one change. */
const MAX_EDITS = 256;
/** Two changes with less than this between them are easier to read as one. */
const SHORTEST_SAME = 3;

/** A text as code units or, if it has surrogate pairs, as code points. */
type Characters = string | readonly string[];

function charactersOf(text: string): Characters {
  return SURROGATE.test(text) ? Array.from(text) : text;
}

function cut(characters: Characters, from: number, to?: number): string {
  const slice = characters.slice(from, to);
  return typeof slice === "string" ? slice : slice.join("");
}

const SURROGATE = /[\ud800-\udfff]/;

interface Edit {
  readonly removedFrom: number;
  removedTo: number;
  readonly addedFrom: number;
  addedTo: number;
}

function commonStart(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let i = 0;
  while (i < limit && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  return i;
}

function commonEnd(a: string, b: string, from: number): number {
  const limit = Math.min(a.length, b.length) - from;
  let i = 0;
  while (i < limit && a.charCodeAt(a.length - 1 - i) === b.charCodeAt(b.length - 1 - i)) i++;
  return i;
}

/**
 * The fewest single removals (`true`) and insertions that turn `a` into `b`, with their indices; `null` when there
 * are more than {@link MAX_EDITS}.
 *
 * @see Eugene W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986
 */
function shortestEdits(
  a: Characters,
  b: Characters,
): [isRemoval: boolean, x: number, y: number][] | null {
  const reach = new Int32Array(2 * MAX_EDITS + 3);
  const center = MAX_EDITS + 1;
  const history: Int32Array[] = [];
  for (let edits = 0; edits <= MAX_EDITS; edits++) {
    history.push(reach.slice(center - edits - 1, center + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && reach[center + k - 1]! < reach[center + k + 1]!);
      let x = down ? reach[center + k + 1]! : reach[center + k - 1]! + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach[center + k] = x;
      if (x >= a.length && x - k >= b.length) return backtrack(history, a.length, b.length);
    }
  }
  return null;
}

function backtrack(
  history: readonly Int32Array[],
  endX: number,
  endY: number,
): [boolean, number, number][] {
  const edits: [boolean, number, number][] = [];
  let x = endX;
  let k = endX - endY;
  for (let count = history.length - 1; count > 0; count--) {
    const before = history[count]!;
    const at = (diagonal: number): number => before[diagonal + count + 1]!;
    const down = k === -count || (k !== count && at(k - 1) < at(k + 1));
    k = down ? k + 1 : k - 1;
    x = at(k);
    edits.push([!down, x, x - k]);
  }
  return edits.reverse();
}

function toEdits(singles: readonly [boolean, number, number][]): Edit[] {
  const edits: Edit[] = [];
  for (const [isRemoval, x, y] of singles) {
    let last = edits.at(-1);
    if (last === undefined || x - last.removedTo >= SHORTEST_SAME) {
      last = { removedFrom: x, removedTo: x, addedFrom: y, addedTo: y };
      edits.push(last);
    }
    last.removedTo = isRemoval ? x + 1 : x;
    last.addedTo = isRemoval ? y : y + 1;
  }
  return edits;
}

/** The changes from one text to another, as runs in reading order. The time is linear in their lengths. */
export function diff(before: string, after: string): Change[] {
  let start = commonStart(before, after);
  while (SURROGATE.test(before.charAt(start - 1))) start--;
  let end = commonEnd(before, after, start);
  while (SURROGATE.test(before.charAt(before.length - end))) end--;
  const a = charactersOf(before.slice(start, before.length - end));
  const b = charactersOf(after.slice(start, after.length - end));

  const changes: Change[] = [];
  const push = (kind: Change["kind"], text: string): void => {
    const last = changes.at(-1);
    if (last?.kind === kind) changes[changes.length - 1] = { kind, text: last.text + text };
    else if (text !== "") changes.push({ kind, text });
  };
  const singles = shortestEdits(a, b);
  const edits =
    singles === null
      ? [{ removedFrom: 0, removedTo: a.length, addedFrom: 0, addedTo: b.length }]
      : toEdits(singles);
  push("same", before.slice(0, start) + cut(a, 0, edits[0]?.removedFrom ?? 0));
  for (const [i, { removedFrom, removedTo, addedFrom, addedTo }] of edits.entries()) {
    push("removed", cut(a, removedFrom, removedTo));
    push("added", cut(b, addedFrom, addedTo));
    const next = edits[i + 1];
    if (next !== undefined) push("same", cut(a, removedTo, next.removedFrom));
  }
  push("same", cut(a, edits.at(-1)?.removedTo ?? 0) + before.slice(before.length - end));
  return changes;
}
