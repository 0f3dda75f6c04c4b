/** A remark about one line of a source. */
export interface LineNote {
  readonly line: number;
  readonly message: string;
}

/** How many of the first refusals, and of the first warnings, are kept for each source. */
const KEPT = 10;
/**
 * How many warnings about entries as broad as a shared host, such as `web.app`, are kept: each of them may block the
 * sites of many owners.
 */
const KEPT_BROAD = 50;

/**
 * Keeps a refusal or a warning if it is one of the first, or the first of its kind.
 *
 * @param kinds how many refusals and warnings of each code there are so far.
 */
export function keepNote(
  kinds: Map<string, number>,
  notes: LineNote[],
  code: string,
  line: number,
  message: string,
): void {
  const count = kinds.get(code) ?? 0;
  const most = code === "public-suffix" ? KEPT_BROAD : 1;
  if (notes.length < KEPT || count < most) notes.push({ line, message });
  kinds.set(code, count + 1);
}
