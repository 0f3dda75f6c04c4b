/**
 * Whether the client has the answer with this tag, according to its `If-None-Match` header. The header has one or
 * several tags, which may be weak, or `*` for any tag. Tags are in quotes, so one cannot be a part of another.
 */
export function hasTag(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.includes(etag) || ifNoneMatch.trim() === "*";
}
