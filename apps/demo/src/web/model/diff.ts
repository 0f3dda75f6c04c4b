/** A run of a text that was kept, removed or inserted. */
export interface Change {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

const SURROGATE = /[\ud800-\udfff]/;

/** The change from one text to another, between the beginning and the end that they share, as runs in reading order. */
export function diff(before: string, after: string): Change[] {
  if (before === after) return before === "" ? [] : [{ kind: "same", text: before }];
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  // No cut splits a surrogate pair.
  while (SURROGATE.test(before.charAt(start - 1))) start--;
  while (SURROGATE.test(before.charAt(before.length - end))) end--;
  const changes: Change[] = [
    { kind: "same", text: before.slice(0, start) },
    { kind: "removed", text: before.slice(start, before.length - end) },
    { kind: "added", text: after.slice(start, after.length - end) },
    { kind: "same", text: before.slice(before.length - end) },
  ];
  return changes.filter(({ text }) => text !== "");
}
