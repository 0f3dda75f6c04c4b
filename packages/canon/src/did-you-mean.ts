import { isAscii } from "./ascii.ts";
import { isPossibleTopLevel } from "./possible-hosts.ts";
import { textOf } from "./utf8.ts";

/** There is no suggestion for longer texts, because error messages quote only a part of them. */
const LONGEST_TEXT = 1024;
const LONGEST_AUTHORITY = 255;

const PARTS = /^(\s*[a-z][a-z0-9+.-]*:[/\\]{2})?([^/\\?#]*)(.*)$/isu;
const UNDERLINED = /^\s*(h)(?:tt|xx)(ps?)__(.*)/isu;
/** Matches a scheme without its colon, perhaps after another scheme or "www.". */
const WITHOUT_COLON = /^\s*(?:https?:[/\\]+)?(?:www\.)?(h)(?:tt|xx)(ps?)[/\\]+([\p{L}\p{N}].*)/isu;
const IPV6 = /^[0-9a-f]*:[0-9a-f:]*:(?:[0-9a-f]*|(?:[0-9]{1,3}\.){3}[0-9]{1,3})$/i;
/** Matches a name with at least one dot, and an optional port, between characters that no host contains. */
const named = (letters: string): RegExp =>
  new RegExp(
    `^[^${letters}_-]*((?:[${letters}_-]+\\.)+([${letters}-]*[${letters}]))(:[0-9]+)?(?![${letters}_-])[^.]*$`,
    "u",
  );
const NAME = named("\\p{L}\\p{M}\\p{N}");
/** Like `NAME`, for ASCII hosts, because engines take a long time to compile Unicode classes. */
const ASCII_NAME = named("A-Za-z0-9");

/**
 * The URL that a text was probably meant to be, or `null` if there is no suggestion. There is one if the host has a
 * quotation mark, a bracket or an entity at an end, if it contains blanks, if it is an IPv6 address without brackets,
 * or if it follows a scheme without a colon.
 */
export function meantUrl(input: string | Uint8Array): string | null {
  if (input.length > LONGEST_TEXT) return null;
  const text = textOf(input);
  const withoutColon = UNDERLINED.exec(text) ?? WITHOUT_COLON.exec(text);
  if (withoutColon !== null) {
    const [, h, ps, url] = withoutColon;
    return `${h}tt${ps}://${url}`;
  }
  const [, scheme = "", authority, rest] = PARTS.exec(text)!;
  if (authority!.length > LONGEST_AUTHORITY) return null;
  const host = meantHost(authority!.slice(authority!.lastIndexOf("@") + 1));
  return host === null ? null : scheme.trimStart() + host + rest!.trimEnd();
}

function meantHost(written: string): string | null {
  const host = written.replace(/\s+/g, "");
  if (IPV6.test(host)) return `[${host}]`;
  const [, name, last, port = ""] = (isAscii(host) ? ASCII_NAME : NAME).exec(host) ?? [];
  if (name === undefined || !isPossibleTopLevel(last!.toLowerCase())) return null;
  return name + port === written ? null : name + port;
}
