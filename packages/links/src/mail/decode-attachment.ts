const META_CHARSET = /<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?([\w:.-]{1,40})/i;
const XML_ENCODING = /^\s{0,99}<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w:.-]{1,40})/i;
/** Only this many bytes of a document are searched for a declaration of its encoding. */
const PRESCAN_BYTES = 1024;

/**
 * Decodes an attachment by its byte order mark, by the NUL bytes of UTF-16, or by the declaration of HTML or XML;
 * otherwise as UTF-8, or as windows-1252 if it is not valid UTF-8.
 */
export function decodeAttachment(bytes: Uint8Array): string {
  const label = encodingOf(bytes);
  if (label !== null) return new TextDecoder(label).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function encodingOf(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const start = bytes.subarray(0, PRESCAN_BYTES);
  const nulls = [0, 0];
  start.forEach((byte, index) => {
    if (byte === 0) nulls[index % 2]!++;
  });
  if (nulls[1]! > start.length / 4) return "utf-16le";
  if (nulls[0]! > start.length / 4) return "utf-16be";
  const text = new TextDecoder("latin1").decode(start);
  const label = (META_CHARSET.exec(text) ?? XML_ENCODING.exec(text))?.[1];
  // A declaration that is readable in Latin-1 cannot be in UTF-16 or UTF-32, whatever it says.
  if (label === undefined || /^utf-?(?:16|32)/i.test(label)) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
