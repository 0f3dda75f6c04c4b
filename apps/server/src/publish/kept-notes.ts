/** A remark about one line of a source. */
export interface LineNote {
  readonly line: number;
  readonly message: string;
}

/** How many of the first refusals, and of the first warnings, are kept for each source. */
const KEPT = 10;

/**
 * Keeps a refusal or a warning if it is one of the first, or the first of its kind.
 *
 * @param kinds the codes of the refusals and warnings so far.
 */
export function keepNote(
  kinds: Set<string>,
  notes: LineNote[],
  code: string,
  line: number,
  message: string,
): void {
  if (notes.length < KEPT || !kinds.has(code)) notes.push({ line, message });
  kinds.add(code);
}
