/** The statuses of the command. They are bits: 5 is both {@link LISTED} and {@link NOT_A_URL}. */
export const LISTED = 1;
/** The command could not do its work. It stands alone: what was found before does not count. */
export const FAILED = 2;
/** Some input was not a URL; the others were dealt with. */
export const NOT_A_URL = 4;

/** For the end of the help of commands that give verdicts. */
export const EXIT_STATUS_HELP = `
Exit status:
  0  nothing is listed     2  failure: bad usage, unreadable file, broken list
  1  something is listed   4  some input is not a URL; the rest was dealt with
  5  1 and 4 together`;
