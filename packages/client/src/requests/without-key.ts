/**
 * Removes the key from a message, because some platforms quote the address in messages. For the same reason, such an
 * error is not passed on as the `cause`.
 */
export function withoutKey(message: string, key: string | null): string {
  if (key === null || key === "") return message;
  const escaped = [encodeURIComponent(key), String(new URLSearchParams({ key })).slice(4)];
  // Some platforms write escapes in lower case.
  const lower = escaped.map((text) => text.replace(/%[0-9A-F]{2}/g, (each) => each.toLowerCase()));
  return [key, ...escaped, ...lower].reduce((text, each) => text.replaceAll(each, "…"), message);
}
