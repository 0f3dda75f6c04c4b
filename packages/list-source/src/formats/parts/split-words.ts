const SPACE = 0x20;
const TAB = 0x09;

export function setOf(text: string): ReadonlySet<string> {
  return new Set(words(text));
}

/**
 * The parts of `text` between spaces and tabs. This function is many times faster than splitting with a regular
 * expression.
 */
export function words(text: string): string[] {
  const found: string[] = [];
  let start = -1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code !== SPACE && code !== TAB) {
      if (start < 0) start = i;
    } else if (start >= 0) {
      found.push(text.slice(start, i));
      start = -1;
    }
  }
  if (start >= 0) found.push(text.slice(start));
  return found;
}
