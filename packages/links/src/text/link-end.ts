import { refang } from "@x/canon/defanged";

/** Sources of regular expressions for links and the characters around them. */

const OPEN = String.raw`[[({<\uff3b\uff08\uff5b\uff1c\u3010]`;
const CLOSE = String.raw`[\])}>\uff3d\uff09\uff5d\uff1e\u3011]`;
const SPACE = String.raw`[ \xa0\u3000]`;

/** The characters besides `.` that browsers read as a dot of a host (UTS #46 §4). Some also end a sentence. */
export const DOTS: string = String.raw`\u3002\uff0e\uff61`;

/** Chinese, Japanese and Korean characters, which may follow a link without a space. */
export const EAST_ASIAN: string = String.raw`\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f`;

/** Characters that are not shown: zero-width characters, the soft hyphen, bidi controls, variation selectors, tags. */
const INVISIBLE: string = String.raw`\xad\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff`;

/** Characters that end a link: spaces, controls, quotation marks, angle brackets, and punctuation outside of ASCII. */
const NEVER_IN_LINK = String.raw`\s\0-\x1f\x7f-\x9f<>"\x60\xab\xbb\u2018-\u201f\u2039\u203a\u2026\u3001\u3008-\u3011\u3014-\u301b\uff01\uff02\uff08\uff09\uff0c\uff1b\uff1c\uff1e\uff1f\uff3b\uff3d\uff5b-\uff5d\uff5f\uff60\uff62-\uff64`;

/** A dot with spaces on both sides, in a host that has no other dots. */
const SPACED_DOT: string = String.raw` \.(?<=[a-z\d] .)(?<!\.[a-z\d-]{1,63} .) (?=[a-z\d])`;

/** A dot of a defanged host. */
const DEFANGED_DOT = String.raw`${SPACE}{0,3}${OPEN}${SPACE}?(?:[.${DOTS}]|dot|punkt|punto|point)${SPACE}?${CLOSE}${SPACE}{0,3}|\\\.| dot(?<=[a-z\d] dot) (?=[a-z\d])|${SPACED_DOT}`;

/** Half a defanged dot, as in `evil[.example`. */
const HALF_DOT = String.raw`[[({]\.(?=[^\s\])}])|\.[\])}](?=[a-z\d])`;

/** The schemes of the web and their defanged forms. */
const WEB_NAME = String.raw`(?:h[tx*_#~?!$%@+z7-]{1,3}p(?:s|[[({]s[\])}])?|h[tx]{0,2}[[({][tx]{0,2}p?s?[\])}][tx]{0,2}p?(?:s|[[({]s[\])}])?|[[({]h[tx]{0,2}[\])}][tx]{0,2}ps?|htt[*_~]s?|https?[*_~]|xxps?|meows?|f[tx*]{1,2}ps?|wss?)`;
const WEB_SCHEME = String.raw`(?:[[({]${WEB_NAME}[\])}]|${WEB_NAME})`;

/** Escaped forms of the colon and the slash in quoted-printable, HTML and string literals. */
const ESCAPED_COLON = String.raw`=3a|&(?:#0*58|#x0*3a|colon);|\\(?:x3a|u003a)`;
const ESCAPED_SLASH = String.raw`=2f|&(?:#0*47|#x0*2f|sol);|\\(?:x2f|u002f)`;

const SLASHES = String.raw`(?:${ESCAPED_SLASH}|[/\uff0f\\]|${OPEN}[/\\]{1,2}${CLOSE}){1,64}`;
const COLON = String.raw`(?:\\?[:\uff1a]|${ESCAPED_COLON}|${OPEN}${SPACE}?:${SPACE}?${CLOSE})`;

/** The colon and slashes after a scheme, also in defanged forms. */
const WEB_SEPARATOR = String.raw`(?:${OPEN}${SPACE}?:[/\\]{1,2}${SPACE}?${CLOSE}[/\\]{0,2}|${SPACE}?${COLON}[${INVISIBLE}]{0,3}${SPACE}?${SLASHES}|:?_{2,3}(?=[\w-]+\W)|(?:[.;_-]|::)?//)(?:${SPACE}(?=[\w-]+ ?[.[({]))?`;

/** The start of a URL that has a scheme of the web. */
const WEB_START: string = WEB_SCHEME + WEB_SEPARATOR;

/** Schemes that precede a whole URL. */
const OUTER_SCHEME = "(?:view-source|blob|filesystem|feed):";

/** Each place where a URL with a scheme may start. */
export const URL_START: string = String.raw`(?:${OUTER_SCHEME}){0,3}(?:${WEB_START}|(?:(?<![a-z\d+.-])(?!www\.)[a-z][a-z\d+.-]{1,30}(?<!${WEB_SCHEME})):[/\\]{2}|(?<![a-z\d+.-])https?:(?=[a-z\d-]+\.[a-z])|(?<![a-z\d+.-])(?:[st]ftp|news)://|h(?:tt|xx)ps?%(?:25)*3a(?:%(?:25)*2f|/){2})`;

/** The maximum length of a run of characters that may be one link. Longer runs are searched in pieces. */
export const LONGEST_RUN = 65_536;

/**
 * A letter or digit after another one, at which none of the other parts of a run begins. It makes most texts faster.
 */
const IN_WORD = String.raw`(?<=[a-z\d])[a-z\d]`;

/** A run of text that may contain links. Soft line breaks of quoted-printable do not end a run. */
export const RUN: string = String.raw`(?:${IN_WORD}|(?:(?<![a-z\d])${WEB_START})|${DEFANGED_DOT}|=[ \t]{0,8}\r?\n(?=\S)|[^${NEVER_IN_LINK}]){1,${LONGEST_RUN}}`;

const DOT = `[.${DOTS}]`;
/** A dot of a host, in any form. */
export const ANY_DOT: string = `(?:${DEFANGED_DOT}|${HALF_DOT}|${DOT})`;
/** Letters in circles and squares count: IDNA maps them to letters. */
const LABEL = String.raw`[\p{L}\p{N}\p{M}\u24b6-\u24e9\u{1f130}-\u{1f149}_${INVISIBLE}-]{1,100}`;

/** A host without a scheme, perhaps defanged. The groups are `host` and `port`. */
export const BARE_HOST: string = String.raw`(?<![\p{L}\p{N}\p{M}_-])(?<host>${LABEL}(?:(?:${ANY_DOT}|(?<=[a-z\d])DOT(?=[a-z\d]))${LABEL}){1,40}${DOT}?[\])}]?)(?<port>(?::|${OPEN}:${CLOSE})\d{1,5}(?!\d))?`;

/** The number of code units before a host that are examined. */
export const LONGEST_LOOK_BACK = 128;

const INVISIBLE_CHARACTER = new RegExp(`[${INVISIBLE}]`, "u");

/** Closing brackets, which belong to a link only if they were opened in it. */
const CLOSERS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** Text after a link that does not belong to it: an escaped character, such as a quotation mark, or a BBCode tag. */
const REFERENCE_AFTER = String.raw`&(?:quot|gt|lt|apos|nbsp|#0*39|#0*34|#x0*2[27]|#0*6[02]|#x0*3[ce]);|\\u00(?:22|27|3[ce])|\\[nrt"'](?![\w/.-])|\[/(?:url|img|link|b|i|u|code|quote)\]`;
const ESCAPED_QUOTE = "%22";

/** The start of another URL that directly follows this one and is not part of it. */
const NEXT_URL = String.raw`(?<=[,;|)\]}*~'\w.]|\]\(|[^\0-\x7f])(?:https?|hxxps?|ftp)://|[,;|](?=www\.)`;

/** Whatever may end a link. */
const STOP = new RegExp(
  String.raw`(?<next>${NEXT_URL})|(?<reference>${REFERENCE_AFTER})|(?<mark>[ \u2014${DOTS}])|[()[\]{}'|]`,
  "gi",
);

/** Punctuation and Markdown marks, which do not belong to a link that they follow. */
const TRAILING = new RegExp(String.raw`[.,;:!?'*|\\\u060c\u061b\u061f\u06d4\u0964\u0965${DOTS}]`);

/** Emoji directly after a word. After a slash, emoji are a path of their own, as in Wikipedia. */
const EMOJI_AT_END =
  /(?<=[a-z\d])(?:\p{Extended_Pictographic}[\u200d\ufe0f\u{1f3fb}-\u{1f3ff}]*)+$/iu;

/** The place and the URL of a link in a text. */
export interface LinkInText {
  readonly start: number;
  readonly end: number;
  readonly url: string;
  readonly isDefanged: boolean;
}

/** The start of a link in a run. All indices are those of the run. */
interface LinkStart {
  readonly start: number;
  readonly hostStart: number;
  /** From here on, spaces end the link, and so do dashes and full stops. In hosts, some of them stand for a dot. */
  readonly hostEnd: number;
  /** The character before the link. */
  readonly before: string;
}

/** Returns the index at which a link ends. The time is linear in the length of the link, however long the run is. */
export function linkEnd(run: string, link: LinkStart): number {
  const { hostStart, before } = link;
  let end = firstStop(run, link);
  if (run.startsWith(ESCAPED_QUOTE, end - ESCAPED_QUOTE.length)) end -= ESCAPED_QUOTE.length;
  const emoji = EMOJI_AT_END.exec(run.slice(hostStart, end));
  if (emoji !== null) end = hostStart + emoji.index;
  return trimmedEnd(run, hostStart, end, before);
}

/** The index of the first character that does not belong to a link. */
function firstStop(run: string, { start, hostStart, hostEnd, before }: LinkStart): number {
  const open: Record<string, number> = { "(": 0, "[": 0, "{": 0 };
  STOP.lastIndex = start;
  for (let stop = STOP.exec(run); stop !== null; stop = STOP.exec(run)) {
    const { 0: found, index, groups } = stop;
    const { next, reference, mark } = groups!;
    const character = found[0]!;
    if (next !== undefined && index > hostStart) return index;
    if (reference !== undefined && index >= hostStart) return index;
    // An alternative that does not count here may hide another one.
    STOP.lastIndex = index + 1;
    if (mark !== undefined && index >= hostEnd) return index;
    // Slack writes <https://example.com|label>.
    if (character === before || (character === "|" && before === "<")) {
      if (character === "'" || character === "|") return index;
    }
    if (character in open) open[character]!++;
    const opener = CLOSERS[character];
    if (opener === undefined) continue;
    if (open[opener]! > 0) open[opener]!--;
    // This bracket is half of a defanged dot, as in `evil.]example`, or it closes a label in brackets.
    else if (
      index > hostStart &&
      /[a-z\d]/i.test(run[index + 1] ?? "") &&
      /[.\uff0e]/.test(run[index - 1]!)
    )
      continue;
    else return index;
  }
  return run.length;
}

function trimmedEnd(run: string, hostStart: number, from: number, before: string): number {
  let end = from;
  const counts: Record<string, number> = { "(": 0, "[": 0, "{": 0 };
  for (let i = hostStart; i < end; i++) {
    const character = run[i]!;
    if (character in counts) counts[character]!++;
    else if (character in CLOSERS) counts[CLOSERS[character]!]!--;
  }
  while (end > hostStart) {
    const last = run[end - 1]!;
    if (last in counts) {
      if (counts[last]! <= 0) break;
      counts[last]!--;
    } else if (!isTrailing(run, end - 1, last, before)) break;
    end--;
  }
  return end;
}

function isTrailing(run: string, at: number, last: string, before: string): boolean {
  if (TRAILING.test(last)) return true;
  if (last === "_" || last === "~") return before === last || run[at - 1] === last;
  return INVISIBLE_CHARACTER.test(last);
}

const EAST_ASIAN_CHARACTER = new RegExp(`[${EAST_ASIAN}]`);
/**
 * A host directly before a character that does not belong to it: a Chinese, Japanese or Korean character, or
 * punctuation, as in `https://a.example's`.
 */
export const ASCII_HOST_BEFORE: RegExp = new RegExp(
  `^[^/?#]*?${ANY_DOT}[a-z]{2,}(?=[${EAST_ASIAN}\\uff0e\\uff61',;!*&|])`,
  "i",
);

/**
 * The index at which Chinese, Japanese or Korean text follows the path of a link without a space; `null` if there is
 * none. Such text may also belong to the path.
 */
export function startOfGlued(run: string, hostEnd: number, end: number): number | null {
  const at = run.slice(hostEnd, end).search(EAST_ASIAN_CHARACTER);
  // The path up to a slash is judged with the whole path.
  return at < 1 || run.charAt(hostEnd + at - 1) === "/" ? null : hostEnd + at;
}

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
const BACKSLASHED_COLON = /^([a-z]+)\\:/i;
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
  url = url.replace(BACKSLASHED_COLON, "$1:");
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
