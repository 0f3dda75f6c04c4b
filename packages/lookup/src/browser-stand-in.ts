import { type CanonicalUrl, tryParseUrl } from "@x/canon";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** In Node 20, the optimized `URL.canParse` is wrong for Latin-1 text. */
function parse(text: string): URL | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII
  if (/^[\0-\x7f]*$/.test(text) && !URL.canParse(text)) return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** To be deleted when `@x/canon/browser` is there. */
export function tryParseUrlAsBrowser(url: string | Uint8Array): CanonicalUrl | null {
  const text = typeof url === "string" ? url : decoder.decode(url);
  const parsed = parse(text);
  if (parsed === null) return null;
  if (!/^(?:https?|ftp|wss?):$/.test(parsed.protocol)) return null;
  parsed.username = "";
  parsed.password = "";
  return tryParseUrl(parsed.href);
}
