/** The prefix length in bytes at the end of a list's name, or `null`: 4 for `"mw-4b"`. */
export function prefixBytesOfName(name: string): number | null {
  const found = /-(4|8|16|32)b$/.exec(name);
  return found === null ? null : Number(found[1]);
}
