import { httpOrFtp } from "./not-a-url.ts";
import { typeError } from "./own-options.ts";

/*
 * Security reports "defang" dangerous URLs, so that nobody opens them by accident. These forms are recognized, in upper
 * or lower case, with any of the brackets [ ], ( ), { }, < > and their full-width forms, and spaces inside brackets:
 *
 * | written                                         | means     | where                                  |
 * | ----------------------------------------------- | --------- | -------------------------------------- |
 * | hxxp h**p h__p hxtp xxp meow, perhaps with s    | http      | before the colon                       |
 * | httpx htp ttp hhttp hptt: a wrong character, one | http     | before the colon                       |
 * | too many or too few, or two in the wrong order  |           |                                        |
 * | fxp f*p                                         | ftp       | before the colon                       |
 * | [http] http[s] h[tt]p                           | http      | before the colon                       |
 * | [://] [:/]/ [:]// :[//] :[/][/] : //            | ://       | after the scheme                       |
 * | __ :__ .// -// _://, and // \\ after hxxp        | ://       | after the scheme                       |
 * | [.] [dot], also with spaces on either side      | .         | in the host                            |
 * | DOT, if the host has no dot                     | .         | in the host, in other letters          |
 * | [. or .] alone, [.com], \.                       | . .com .  | in the host                            |
 * | " dot "                                         | .         | in the host, between letters or digits |
 * | spaces at either end or beside a dot            | nothing   | in the host after a scheme             |
 * | \u002e \x2e, as in strings of JSON              | .         | before the path; then everywhere       |
 * | [:]                                             | :         | in the host and port                   |
 * | [@] [at]                                        | @         | before the host                        |
 * | [/]                                             | /         | after the host                         |
 * | [.] [:] [@] [/] [dot], in square brackets alone | . : @ / . | further on, if it is defanged before   |
 * | hxxp hxxps before a colon                       | http      | further on, if it is defanged before   |
 */

const OPEN = String.raw`[[({<\uff3b\uff08\uff5b\uff1c\u3010]`;
const CLOSE = String.raw`[\])}>\uff3d\uff09\uff5d\uff1e\u3011]`;
const SPACE = String.raw`[ \xa0\u3000]`;
const DOT = String.raw`[.\uff0e\u3002\uff61]`;
const COLON = String.raw`[:\uff1a]`;
const SLASH = String.raw`[/\uff0f\\]`;
const inBrackets = (what: string) => `${OPEN}${SPACE}?(?:${what})${SPACE}?${CLOSE}`;

/** Matches a scheme with its colon and slashes. */
const START = new RegExp(
  String.raw`^(\s*)([a-z[({][a-z0-9+.*_#~?!$%@[\](){}-]{0,31}?)` +
    `(${inBrackets(`:${SLASH}{1,2}`)}${SLASH}{0,2}|${SPACE}?(?:${COLON}|${inBrackets(COLON)})${SPACE}?(?:${SLASH}|${inBrackets(`${SLASH}{1,2}`)}){1,4})`,
  "i",
);
/** Matches a web scheme without a colon, or with other characters in place of the colon or the slashes. */
const ODD_START =
  /^(\s*)_{0,2}(h[a-z*_#~?!$%@+-]{1,3}?ps?|xxps?|ttps?|meows?)([:;]?_{2,3}|[:;._?-]{1,3}[/\\]{1,4}|[/\\]{2,4})/i;
const PLAIN_SEPARATOR = /^:[/\\]*$/;
const IN_BRACKETS = /[[({]([a-z]+)[\])}]/gi;
const SCHEME = /^[a-z][a-z0-9+.-]*$/i;
const WEB_SCHEME = /^(?:https?|ftp|wss?)$/i;
/** Everything up to the first slash, `?` or `#`, or up to a slash in brackets. */
const AUTHORITY = new RegExp(`^(?:(?!${inBrackets("/")})[^/?#])*`);
const DOTS = new RegExp(
  String.raw`${SPACE}{0,3}${inBrackets(`${DOT}|dot|punkt|punto|point`)}${SPACE}{0,3}|(?<=\w) dot (?=\w)`,
  "gi",
);
/** Matches the `DOT` in `evilDOTexample`. */
const CAPITAL_DOTS = /(?<=[a-z\d])DOT(?=[a-z\d])/g;
const LABELS_IN_BRACKETS = new RegExp(`${OPEN}(${DOT}[\\w-]+)${CLOSE}`, "g");
const HALF_DOTS = new RegExp(`${OPEN}${DOT}|${DOT}${CLOSE}`, "g");
const COLONS = new RegExp(inBrackets(COLON), "g");
const AT_SIGNS = new RegExp(inBrackets("@|at"), "gi");
/**
 * Matches a text whose first dot has a backslash in front of it, with no backslash before that. Browsers end the host
 * at any other backslash.
 */
const ESCAPED_DOTS = /^[^.\\]*\\\./;
const FIRST_SLASH = new RegExp(`^${inBrackets("/")}`);
const FURTHER_ON = /\[(?:([.:@/])|dot)\]/gi;
const SCHEMES_FURTHER_ON = /\bhxxp(s?)(?=:|%3a)/gi;
const FIRST_SPACES = new RegExp(`^${SPACE}+(?=.)`);
const LAST_SPACES = new RegExp(`(?<!${SPACE})${SPACE}+$`);
const SPACES_AT_DOTS = new RegExp(`(?<!${SPACE})${SPACE}+(?=${DOT})|(?<=${DOT})${SPACE}+`, "g");

/**
 * A character that is escaped as in a JSON or JavaScript string. After `\x`, only the codes of `-`, `.`, `/`, `:` and
 * `@` count, because a file name may begin with `x` and two digits.
 */
const STRING_ESCAPE = String.raw`(?<!\\)\\+(?:u([0-9a-f]{4})|x(2[def]|3a|40))`;
const STRING_ESCAPES = new RegExp(String.raw`${STRING_ESCAPE}|(?<!\\)\\+(?=/)`, "gi");
/** Matches a text with an escaped character in or before its host. */
const ESCAPED_HOST = new RegExp(
  String.raw`^(?:[a-z]*:[/\\]{1,8}(?!u[0-9a-f]{4}|x[0-9a-f]{2}))?[^/?#\\]*${STRING_ESCAPE}`,
  "i",
);

/** Matches nearly all URLs whose host is not defanged, as a shortcut. */
const PLAIN = /^(?:https?|ftp|wss?):\/\/[\w:@%-]*\.[\w.:@%-]*(?:[/?#]|$)/i;

/** Matches a sign of a defanged URL, even if nothing in the URL can be turned back. */
const SIGNS =
  /^h(?:xx|\*\*|__)p|^\s*meows?:|[[({](?:\.|dot|:|:\/\/|\/\/?|@|at)[\])}]|^(?:[a-z+]*:\/\/)?[^/]*\w \(?dot\)? \w|\\\.\w/i;

/**
 * Matches another character in place of the colon or the slashes after a scheme, as in `http\u02d0//` and
 * `http:\u2215\u2215`.
 */
const SIGN_FOR_SEPARATOR =
  /^\s*h(?:tt|xx)ps?(?:[^\0-\x7f]{1,2}[/\\]{2}|:(?![/\\[_%?#])[\p{P}\p{S}])/iu;

/**
 * Matches a host without dots that contains the word "dot", such as `evil-dot-example`. Such a host may also be a name
 * in a local network.
 */
const WORD_FOR_DOT =
  /^\s*(?:[a-z]+:\/\/)?(?=[\w-]+(?::\d*)?(?:[/?#]|\s*$))[\w-]*[a-z\d][_-]dot[_-][a-z\d]/i;
/**
 * Matches a host with another character in place of its last dot, or with a slash before that dot, as in
 * `www.evil\xb7example` and `evil/.example`.
 */
const SIGN_FOR_DOT =
  /^\s*(?:(?:[a-z]+:\/\/)?(?:[^\s/?#]*\.)?[\w-]*[a-z\d][\xb7\u0387\u2022\u2027\u30fb\uff65][a-z\d][^\s./?#]*(?:[/?#]|\s*$)|[a-z\d-]+\/\.[a-z]{2,}(?:[/?#]|\s*$))/i;

/** Matches a host that is still partly defanged, or is a scheme. */
const LEFTOVER = new RegExp(
  String.raw`${OPEN}|${CLOSE}|[\s\uff0f\uff1a]|^$|^\.|\.\.|^(?:h[a-z]{2}ps?|ftp)$|^[^.]*[_-]dot[_-]`,
  "i",
);
const IPV6 = /^\[[0-9a-f:.]+\]$/i;

/**
 * Turns a defanged URL or host back into the original one. Returns any other text unchanged: the scheme or the host
 * must be defanged, because brackets in a path may be part of a URL. A text that is defanged in a way that cannot be
 * turned back as a whole is returned unchanged, too, so that the caller can refuse it.
 *
 * @throws TypeError when `text` is not a string.
 * @example
 * ```ts
 * import { refang } from "@x/canon/defanged";
 *
 * refang("hxxps://login[.]evil[.]example/a"); // → "https://login.evil.example/a"
 * refang("evil dot example"); // → "evil.example"
 * refang("http://[2001:db8::1]/a[.]b"); // → "http://[2001:db8::1]/a[.]b"
 * refang("hxxps://evil[.example[/"); // → "hxxps://evil[.example[/"
 * ```
 */
export function refang(text: string): string {
  if (typeof text !== "string") throw typeError("text", "a string", text);
  const { url, authority } = turnBack(text);
  return url === text || hasLeftover(authority) || turnBack(url).url !== url ? text : url;
}

/** Whether a text is a defanged URL or host. */
export function isDefanged(text: string): boolean {
  return (
    hasDefangedHost(text) ||
    SIGNS.test(text) ||
    SIGN_FOR_SEPARATOR.test(text) ||
    hasWordForDot(text)
  );
}

/** Whether a host seems to have the word "dot" or another sign in place of a dot, or a slash before its last dot. */
export function hasWordForDot(text: string): boolean {
  return WORD_FOR_DOT.test(text) || SIGN_FOR_DOT.test(text);
}

/** Whether the scheme or the host of a text is defanged, in a way that can at least partly be turned back. */
export function hasDefangedHost(text: string): boolean {
  return turnBack(text).url !== text;
}

/** Turns back everything that is defanged in a line, which may also contain other text. */
export function refangPartly(line: string): string {
  return turnBack(line).url;
}

/** The text, with its defanged parts turned back where possible, and the authority of the result. */
function turnBack(text: string): { readonly url: string; readonly authority: string } {
  if (PLAIN.test(text)) return { url: text, authority: "" };
  return readBack(ESCAPED_HOST.test(text) ? unescapeString(text) : text);
}

function unescapeString(text: string): string {
  return text.replace(STRING_ESCAPES, (_, unit?: string, byte?: string) => {
    const code = unit ?? byte;
    return code === undefined ? "" : String.fromCharCode(Number.parseInt(code, 16));
  });
}

function readBack(text: string): { readonly url: string; readonly authority: string } {
  const start = readStart(text);
  const afterStart = text.slice(start.end);
  const [written] = AUTHORITY.exec(afterStart)!;
  const rest = afterStart.slice(written.length);
  let authority = written
    .replace(DOTS, ".")
    .replace(LABELS_IN_BRACKETS, "$1")
    .replace(HALF_DOTS, ".")
    .replace(COLONS, ":")
    .replace(AT_SIGNS, "@");
  if (!authority.includes(".")) authority = authority.replace(CAPITAL_DOTS, ".");
  const isStartChanged = start.text !== text.slice(0, start.end);
  if (isStartChanged || authority !== written || ESCAPED_DOTS.test(authority)) {
    authority = authority.replaceAll("\\.", ".");
  }
  if (start.end > 0 || authority !== written) {
    if (rest !== "") authority = authority.replace(LAST_SPACES, "");
    if (start.end > 0) authority = authority.replace(FIRST_SPACES, "").replace(SPACES_AT_DOTS, "");
  }
  const newRest = rest.replace(FIRST_SLASH, "/");
  const url = start.text + authority + newRest;
  if (url === text) return { url, authority };
  const further = newRest
    .replace(FURTHER_ON, (_, character: string | undefined) => character ?? ".")
    .replace(SCHEMES_FURTHER_ON, "http$1");
  return { url: start.text + authority + further, authority };
}

const NO_START = Object.freeze({ text: "", end: 0 });

/**
 * The scheme at the start of a text, turned back, with its colon and slashes, and the index after the scheme as
 * written.
 */
function readStart(text: string): { readonly text: string; readonly end: number } {
  for (const pattern of [START, ODD_START]) {
    const [written, spaces, scheme, separator] = pattern.exec(text) ?? [];
    const meant = written === undefined ? null : meantScheme(scheme!);
    if (meant === null) continue;
    const isPlain = meant === scheme;
    if (isPlain && PLAIN_SEPARATOR.test(separator!))
      return { text: written!, end: written!.length };
    // Address bars and canonicalization correct these separators.
    if (isPlain && /^[:;]?[/\\]+$/.test(separator!)) return NO_START;
    return { text: `${spaces}${meant}://`, end: written!.length };
  }
  return NO_START;
}

/** The scheme for which `written` stands, or `null` if the text is not a scheme. */
function meantScheme(written: string): string | null {
  const scheme = written.replace(IN_BRACKETS, "$1");
  const meant = httpOrFtp(scheme);
  if (meant !== null) return meant;
  return (scheme === written ? SCHEME : WEB_SCHEME).test(scheme) ? scheme : null;
}

function hasLeftover(authority: string): boolean {
  const host = authority.slice(authority.lastIndexOf("@") + 1).replace(/:[0-9]*$/, "");
  return LEFTOVER.test(host) && !IPV6.test(host);
}
