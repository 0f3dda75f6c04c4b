import { refang } from "@x/canon/defanged";
import { INVISIBLE, SPACED_DOT } from "./patterns.ts";

const INVISIBLE_CHARACTERS = new RegExp(`[${INVISIBLE}]`, "gu");
const SPACED_DOTS = new RegExp(SPACED_DOT, "gi");
/** Line breaks, with the `>` marks of quoted lines after them. */
const LINE_BREAKS = /=?[ \t]*\r?\n[> \t]*/g;
/** RFC 2045 §6.7: an escape of quoted-printable that was not decoded. */
const QUOTED_PRINTABLE = /=([0-9A-F]{2})/g;
const SIGN_OF_QUOTED_PRINTABLE = /=3D|=[ \t]*\r?\n|^[A-Za-z]+=3A/;
/** A URL with percent escapes in place of its colon and slashes. */
export const ENCODED_START: RegExp = /^h(?:tt|xx)ps?%(?:25)*3a/i;
/** A URL in a JSON string, where slashes are often escaped. */
const JSON_START = /^[a-z]+:\\\/\\\//i;
/** A scheme, colon and slashes, some of them as character references. */
const REFERENCE_START = /^[a-z]+(?:&[#\w]{1,8};|[:/])+/i;
const REFERENCES = /&(?:#0*58|#x0*3a|colon|(#0*47|#x0*2f|sol));/gi;
/** A colon with the backslash of Markdown or of a properties file. */
const ESCAPED_COLON = /^([a-z]+)\\:/i;
/** URLs that browsers open although the colon is missing, doubled, or replaced by a semicolon. */
const ODD_COLON = /^(https?)(?:;|::)?\/\//i;
/** URLs without slashes after the scheme, which browsers add. */
const NO_SLASHES = /^((?:https?|ftp):)(?![/\\])/i;
/** The maximum number of levels of percent-encoding to decode. */
const MOST_LEVELS = 4;
/** Schemes that precede a whole URL. */
export const OUTER: RegExp = /^(?:(?:view-source|blob|filesystem|feed):)+/i;

/** A written link, as the URL that it stands for. */
interface CleanUrl {
  readonly url: string;
  readonly isDefanged: boolean;
}

/** Matches most links that are already clean, as a shortcut. */
const CLEAN =
  /^(?:https?:\/\/)?[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,9}(?:[/?#](?:[\w.~/?#&%+,:-]|=(?!3D))*)?$/i;

/**
 * The URL that a written link stands for, and whether the link was defanged. Line breaks and invisible characters are
 * removed, and escapes in the scheme are decoded.
 */
export function cleanUrl(written: string): CleanUrl {
  return CLEAN.test(written) ? { url: written, isDefanged: false } : cleanOddUrl(written);
}

/** The same for any link, without a shortcut. */
export function cleanOddUrl(written: string): CleanUrl {
  let url = written;
  if (SIGN_OF_QUOTED_PRINTABLE.test(url)) {
    url = url
      .replace(LINE_BREAKS, "")
      .replace(QUOTED_PRINTABLE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  url = url.replace(LINE_BREAKS, "").replace(INVISIBLE_CHARACTERS, "");
  url = url.replace(ESCAPED_COLON, "$1:");
  if (JSON_START.test(url)) url = unescapeScript(url);
  if (ENCODED_START.test(url)) url = decodeLevels(url);
  url = url.replace(REFERENCE_START, (start) =>
    start.replace(REFERENCES, (_, slash?: string) => (slash === undefined ? ":" : "/")),
  );
  const [outer = ""] = OUTER.exec(url) ?? [];
  const inner = url.slice(outer.length);
  const corrected = inner.replace(ODD_COLON, "$1://").replace(NO_SLASHES, "$1//");
  const meant = refang(corrected.replace(SPACED_DOTS, "[.]"));
  return { url: outer + meant, isDefanged: meant !== corrected };
}

/** Decodes the escapes in JavaScript and JSON strings. */
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
