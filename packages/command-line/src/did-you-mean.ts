/** Two words with more differences than this are not similar. */
const MOST_DIFFERENCES = 3;
/** Two words are similar only if more than this share of their letters is the same. */
const LEAST_SAME = 0.4;

/**
 * The edit distance: the number of letters to insert, delete, replace or swap with a neighbour to turn one word into
 * the other.
 */
function differences(a: string, b: string): number {
  let [older, old]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      row[j] = Math.min(old![j]! + 1, row[j - 1]! + 1, old![j - 1]! + (isSame ? 0 : 1));
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) row[j] = Math.min(row[j]!, older![j - 2]! + 1);
    }
    [older, old] = [old, row];
  }
  return old![b.length]!;
}

/**
 * Names the known words that are similar to `word`, in brackets; `""` when none is similar.
 *
 * @example
 * ```ts
 * import { didYouMean } from "@x/command-line";
 *
 * didYouMean("prot", ["port", "host"]); // → " (did you mean port?)"
 * didYouMean("colour", ["port", "host"]); // → ""
 * ```
 */
export function didYouMean(word: string, known: Iterable<string>): string {
  const bare = (text: string): string => text.replace(/^-+/, "");
  let found: string[] = [];
  let least = MOST_DIFFERENCES;
  for (const each of new Set(known)) {
    const longest = Math.max(bare(each).length, bare(word).length);
    // Words of very different lengths are never similar, and comparing a long word would take a long time.
    if (bare(each).length < 2 || longest - bare(each).length > MOST_DIFFERENCES) continue;
    const count = differences(bare(word), bare(each));
    if (count > least || (longest - count) / longest <= LEAST_SAME) continue;
    found = count < least ? [each] : [...found, each];
    least = count;
  }
  const names = found.sort();
  if (names.length === 0) return "";
  return ` (did you mean ${names.length === 1 ? names[0] : `one of ${names.join(", ")}`}?)`;
}
