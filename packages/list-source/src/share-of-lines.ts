/** A number of lines among all lines, for people: both the evidence for a format and the reason for a refusal say it. */
export function shareOfLines(count: number, total: number): string {
  return `${count.toLocaleString("en")} of ${total.toLocaleString("en")} ${total === 1 ? "line" : "lines"}`;
}
