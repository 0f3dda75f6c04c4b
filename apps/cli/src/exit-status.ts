/** Something is listed or matched. Exit statuses are bits: 5 is both {@link LISTED} and {@link REFUSED}. */
export const LISTED = 1;
/** The exit status of `links` when it finds no links, like that of grep when it finds nothing. */
export const NOT_FOUND = 1;
/** The command failed. This status is never combined with others, even if there were results before the failure. */
export const FAILED = 2;
/** Some input was refused, for example because it is not a URL. The rest was processed. */
export const REFUSED = 4;
/**
 * There is no verdict on some URL: for example, lists or an answer from the server are missing, or the URL could not be
 * followed to its end.
 */
export const UNSURE = 8;
/** Some URL is on no list, but is built to mislead people. */
export const DISGUISED = 16;

/** Some URL could not be followed to its end. There is no verdict on such a URL, so {@link UNSURE} is set as well. */
export const UNFINISHED = 32;

/** The exit status for some results. The status of a command has the bits of all its results. */
export function statusOf({
  listed,
  refused,
  unsure,
  disguised = 0,
  unfinished = 0,
}: Readonly<Record<"listed" | "refused" | "unsure", number>> & {
  readonly disguised?: number;
  readonly unfinished?: number;
}): number {
  return (
    (listed > 0 ? LISTED : 0) |
    (refused > 0 ? REFUSED : 0) |
    (unsure > 0 ? UNSURE : 0) |
    (disguised > 0 ? DISGUISED : 0) |
    (unfinished > 0 ? UNFINISHED : 0)
  );
}

/** The exit statuses in the help of `check` and `explain`. */
export const VERDICT_STATUS_HELP = `
Exit status:
  0  nothing is listed     2  failure: bad usage, unreadable file, broken list
  1  something is listed   4  some input is not a URL; the rest was processed
  5  1 and 4 together`;

/** The line about {@link UNFINISHED} in the help of commands with `--follow`. */
export const UNFINISHED_STATUS_HELP: string = ` 32  something could not be followed to its end; 8 is added, too`;

/** The line about {@link UNSURE} in the help of commands that give verdicts, after {@link VERDICT_STATUS_HELP}. */
export const UNSURE_VERDICT_HELP: string = `  8  the verdict on something is unsure`;

/** The end of the help of `check`, after {@link VERDICT_STATUS_HELP}. */
export const UNSURE_STATUS_HELP: string = `
${UNSURE_VERDICT_HELP}
 16  something is disguised: on no list, but built to mislead
${UNFINISHED_STATUS_HELP}
Any other status is a sum of these, such as 17 for 1 and 16.`;

/** The end of the help of commands that give no verdict. @param refused says when the status is 4. */
export function statusHelp(refused: string): string {
  return `
Exit status:
  0  success                    2  failure: bad usage, unreadable file
  4  ${refused}; the rest was processed`;
}
