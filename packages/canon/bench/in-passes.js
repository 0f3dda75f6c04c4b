/** The host as an IPv4 address, if it is one. */
function normalizeAddress(host) {
  const parts = host.split(".");
  if (parts.length > 4 || !parts.every((part) => /^(0x[0-9a-f]+|[0-9]+)$/i.test(part))) return host;
  const numbers = parts.map((part) => Number(/^0[0-7]/.test(part) ? `0o${part.slice(1)}` : part));
  const last = numbers.pop();
  const fits = numbers.every((number) => number < 256) && last < 256 ** (4 - numbers.length);
  if (!fits) return host;
  let address = last;
  for (const [i, number] of numbers.entries()) address += number * 256 ** (3 - i);
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join(".");
}

/** The code that people usually write: one or two regular expressions for each rule of the specification, and repeated unescaping until nothing changes. For ASCII URLs with a scheme. Takes quadratic time.
 */
export function canonicalizeInPasses(url) {
  let text = url
    .replace(/[\t\r\n]/g, "")
    .replace(/^ +| +$/g, "")
    .replace(/#.*$/, "");
  for (let before = ""; before !== text; ) {
    before = text;
    text = text.replace(/%([0-9a-f]{2})/gi, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  const [, scheme, authority, path, query] = /^([a-z]+):\/\/([^/?]*)([^?]*)(\?.*)?$/i.exec(text);
  const name = authority
    .replace(/^.*@/, "")
    .replace(/:\d*$/, "")
    .replace(/\.+/g, ".")
    .replace(/^\.|\.$/g, "");
  let folders = path || "/";
  if (/\/\.\.?$/.test(folders)) folders += "/";
  folders = folders.replace(/(\/\.)+(?=\/)/g, "");
  for (let before = ""; before !== folders; ) {
    before = folders;
    folders = folders.replace(/^\/\.\.\/|\/[^/]*\/\.\.\//, "/");
  }
  folders = folders.replace(/\/+/g, "/");
  const escaped = `${normalizeAddress(name).toLowerCase()}${folders}${query ?? ""}`.replace(
    /[^!-~]|[#%]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
  return `${scheme.toLowerCase()}://${escaped}`;
}
