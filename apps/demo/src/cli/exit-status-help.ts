/** For the end of the help of commands that give no verdicts. */
export function exitStatusHelp(condition: string): string {
  return `
Exit status:
  0  all is well                2  failure: bad usage, unreadable file
  4  ${condition}; the rest was dealt with`;
}
