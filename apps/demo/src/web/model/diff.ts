import { diffChars } from "diff";

/** A run of a text that was kept, removed or inserted. */
export interface Change {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** If there are more insertions and removals than this, everything between the first and the last is one change. */
const MAX_EDITS = 256;
/** If the parts that differ are longer than this, the difference is one change, too: comparing them would be slow. */
const LONGEST = 20_000;
/** Two changes with fewer characters than this between them are easier to read as one change. */
const SHORTEST_SAME = 3;

const SURROGATE = /[\ud800-\udfff]/;

/** The length of the beginning that two texts share, without half of a surrogate pair. */
function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  while (SURROGATE.test(a.charAt(length - 1))) length--;
  return length;
}

/**
 * The length of the end that two texts share after their first `start` code units, without half of a surrogate pair.
 */
function commonEnd(a: string, b: string, start: number): number {
  const limit = Math.min(a.length, b.length) - start;
  let length = 0;
  while (length < limit && a.at(-1 - length) === b.at(-1 - length)) length++;
  while (SURROGATE.test(a.charAt(a.length - length))) length--;
  return length;
}

/** The changes from one text to another, as runs in reading order. The time is linear in the lengths of the texts. */
export function diff(before: string, after: string): Change[] {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const [a, b] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const isLong = a.length + b.length > LONGEST;
  const parts = (isLong ? null : diffChars(a, b, { maxEditLength: MAX_EDITS })) ?? [
    { value: a, removed: true },
    { value: b, added: true },
  ];

  const changes: Change[] = [];
  const run = { same: before.slice(0, start), removed: "", added: "" };
  const finish = (): void => {
    for (const kind of ["same", "removed", "added"] as const) {
      if (run[kind] !== "") changes.push({ kind, text: run[kind] });
      run[kind] = "";
    }
  };
  const hasChange = (): boolean => run.removed + run.added !== "";
  const keep = (text: string): void => {
    if (hasChange()) finish();
    run.same += text;
  };
  for (const [i, { value, removed, added }] of parts.entries()) {
    const isShort = value.length < SHORTEST_SAME && i < parts.length - 1;
    if (!removed && !added && !(isShort && hasChange())) keep(value);
    else {
      if (!added) run.removed += value;
      if (!removed) run.added += value;
    }
  }
  keep(before.slice(before.length - end));
  finish();
  return changes;
}
