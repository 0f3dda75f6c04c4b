/** @see HTML §4.8.4.3.10 */
export function srcsetReferences(value: string): string[] {
  const found: string[] = [];
  const candidate = /[\s,]*([^\s,]\S*)/y;
  let at = 0;
  for (;;) {
    candidate.lastIndex = at;
    const match = candidate.exec(value);
    if (match === null) return found;
    at = candidate.lastIndex;
    const written = match[1]!;
    let length = written.length;
    while (written[length - 1] === ",") length--;
    found.push(written.slice(0, length));
    if (length < written.length) continue;
    // The descriptors end at the next comma outside of parentheses.
    let depth = 0;
    while (at < value.length && (depth > 0 || value[at] !== ",")) {
      if (value[at] === "(") depth++;
      else if (value[at] === ")" && depth > 0) depth--;
      at++;
    }
  }
}
