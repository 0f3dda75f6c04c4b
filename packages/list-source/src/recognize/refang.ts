import { typeError } from "@x/sha256-prefix/type-error";

/*
 * Security reports "defang" dangerous URLs, so that nobody opens them by accident. These forms are recognized, in upper
 * or lower case, and with any of the brackets [ ], ( ) and { }:
 *
 * | written                                       | means     | where                                    |
 * | --------------------------------------------- | --------- | ---------------------------------------- |
 * | hxxp hXXp h**p h__p meow, with or without "s" | http      | before the colon                         |
 * | [://] [:]// :[//] :[/][/]                     | ://       | after the scheme                         |
 * | [.] [dot], also with a blank on either side   | .         | in the host                              |
 * | " dot "                                       | .         | in the host, between letters or digits   |
 * | [:]                                           | :         | in the host and port                     |
 * | [@] [at]                                      | @         | before the host                          |
 * | [/]                                           | /         | after the host                           |
 * | [.] [:] [@] [/], in square brackets alone     | . : @ /   | further on, if something before it is defanged |
 */

/** A scheme, and its colon and slashes. */
const START =
  /^(\s*)([a-z][a-z0-9+.*_-]{0,31})([[({]:\/\/[\])}]|(?::|[[({]:[\])}])(?:\/\/|[[({]\/\/[\])}]|(?:[[({]\/[\])}]){2}))/i;
const DEFANGED_SCHEME = /^(?:h(?:xx|\*\*|__)p|meow)(s?)$/i;
/** Everything up to the first slash, `?` or `#`, or up to a slash in brackets. */
const AUTHORITY = /^(?:[^/?#[({]|[[({](?!\/[\])}]))*/;
const DOTS = / ?[[({](?:\.|dot)[\])}] ?|(?<=\w) dot (?=\w)/gi;
const COLONS = /[[({]:[\])}]/g;
const AT_SIGNS = /[[({](?:@|at)[\])}]/gi;
const FIRST_SLASH = /^[[({]\/[\])}]/;
const FURTHER_ON = /\[([.:@/])\]/g;

/**
 * Turns a defanged URL or host back into the original one. Returns any other text unchanged: the scheme or the host
 * must be defanged, because brackets in a path may be part of a URL.
 *
 * @throws TypeError when `text` is not a string.
 * @example
 * ```ts
 * import { refang } from "@x/list-source";
 *
 * refang("hxxps://login[.]evil[.]example/a"); // → "https://login.evil.example/a"
 * refang("evil dot example"); // → "evil.example"
 * refang("http://[2001:db8::1]/a[.]b"); // → "http://[2001:db8::1]/a[.]b"
 * ```
 */
export function refang(text: string): string {
  if (typeof text !== "string") throw typeError("text", "a string", text);
  const [start = "", blanks = "", scheme = ""] = START.exec(text) ?? [];
  const afterStart = text.slice(start.length);
  const [authority] = AUTHORITY.exec(afterStart)!;
  const rest = afterStart.slice(authority.length);
  const newStart = start === "" ? "" : `${blanks}${refangScheme(scheme)}://`;
  const newAuthority = authority.replace(DOTS, ".").replace(COLONS, ":").replace(AT_SIGNS, "@");
  const newRest = rest.replace(FIRST_SLASH, "/");
  const isDefanged = newStart + newAuthority + newRest !== text;
  return isDefanged ? newStart + newAuthority + newRest.replace(FURTHER_ON, "$1") : text;
}

/** The original scheme. A scheme that is not defanged is not changed. */
function refangScheme(scheme: string): string {
  const secure = DEFANGED_SCHEME.exec(scheme)?.[1];
  return secure === undefined ? scheme : `http${secure.toLowerCase()}`;
}
