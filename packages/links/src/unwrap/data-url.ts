import { decodeBase64, decodePercents } from "./decode.ts";

const START =
  /^[\0- ]*data:(?:text\/html|application\/xhtml\+xml|image\/svg\+xml|(?:text|application)\/xml)((?:;[^,]*)?),/i;
const IN_BASE64 = /;\s*base64\s*$/i;

/**
 * The document in a `data:` URL, if browsers read it as HTML or XML; otherwise `null`.
 *
 * @see Fetch Standard, "data: URL processor"
 */
export function documentInDataUrl(url: string): string | null {
  const start = START.exec(url);
  if (start === null) return null;
  const body = decodePercents(url.slice(start[0].length));
  return IN_BASE64.test(start[1]!) ? decodeBase64(body.replace(/\s+/g, "")) : body;
}
