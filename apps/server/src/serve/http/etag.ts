/**
 * Whether the client has the answer with this tag, according to its `If-None-Match`: one tag or several, weak ones too,
 * or `*` for any. A tag is in quotes, so it cannot be a part of another one.
 */
export function hasTag(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.includes(etag) || ifNoneMatch.trim() === "*";
}
