/** The prefix length in bytes that the name of a list ends in, or `null`: 4 of `"mw-4b"`. */
export function prefixBytesOfName(name: string): number | null {
  const found = /-(4|8|16|32)b$/.exec(name);
  return found === null ? null : Number(found[1]);
}
