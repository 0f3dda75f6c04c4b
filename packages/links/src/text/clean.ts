import { refang } from "@x/canon/defanged";
import { INVISIBLE } from "./patterns.ts";

const INVISIBLE_CHARACTERS = new RegExp(`[${INVISIBLE}]`, "gu");
const LINE_BREAKS = /=?[ \t]*\r?\n[ \t]*/g;
/** RFC 2045 §6.7: what remains when nobody has decoded quoted-printable. */
const QUOTED_PRINTABLE = /=([0-9A-F]{2})/g;
const SIGN_OF_QUOTED_PRINTABLE = /=3D|=\r?\n/;
/** A URL with percent escapes in place of its colon and slashes. */
export const ENCODED_START: RegExp = /^https?%(?:25)*3a/i;
/** A URL in a string of JSON, which often escapes slashes. */
const JSON_START = /^[a-z]+:\\\/\\\//i;
/** Browsers add the slashes. */
const NO_SLASHES = /^((?:https?|ftp):)(?![/\\])/i;
/** Each "25" is one more level of encoding. */
const MOST_LEVELS = 4;
/** Schemes before a whole URL. */
export const OUTER: RegExp = /^(?:(?:view-source|blob|filesystem|feed):)+/i;

/** A link without what does not belong to its URL, and whether it was defanged. */
export function cleanUrl(written: string): { readonly url: string; readonly isDefanged: boolean } {
  let url = written;
  if (SIGN_OF_QUOTED_PRINTABLE.test(url)) {
    url = url
      .replace(LINE_BREAKS, "")
      .replace(QUOTED_PRINTABLE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  url = url.replace(LINE_BREAKS, "").replace(INVISIBLE_CHARACTERS, "");
  if (JSON_START.test(url)) url = unescapeScript(url);
  if (ENCODED_START.test(url)) url = decodeLevels(url);
  const [outer = ""] = OUTER.exec(url) ?? [];
  const inner = url.slice(outer.length);
  const meant = refang(inner).replace(NO_SLASHES, "$1//");
  return { url: outer + meant, isDefanged: meant !== inner && !NO_SLASHES.test(inner) };
}

/** Decodes the escapes of strings in JavaScript and JSON. */
export function unescapeScript(url: string): string {
  return url
    .replace(/\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi, (_, long?: string, short?: string) =>
      String.fromCharCode(Number.parseInt((long ?? short)!, 16)),
    )
    .replace(/\\\//g, "/");
}

function decodeLevels(text: string): string {
  let decoded = text;
  for (let level = 0; level < MOST_LEVELS && ENCODED_START.test(decoded); level++) {
    decoded = decoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  return decoded;
}
