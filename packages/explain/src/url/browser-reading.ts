import type { CanonicalUrl } from "@x/canon";
import type { UrlReadings } from "@x/canon/readings";
import { decodeUtf8 } from "../printable.ts";

/** The reasons why browsers can read a URL differently from the specification, as codes and in words. */
const MESSAGES = {
  backslash: "Browsers treat a backslash as a slash.",
  userinfo: "Browsers find the user name before they decode escapes, and drop it.",
  scheme: "Address bars correct a mistyped scheme.",
  "slashes-missing": "Browsers do not need two slashes after the scheme.",
  "control-character": "Browsers remove control characters and spaces around a URL.",
  idna: "Browsers map the host by IDNA, the rules for international names.",
  address: "Browsers read the host as an IP address.",
  dots: "Browsers resolve dot segments before they decode escapes.",
  encoding: "Browsers read the input as UTF-8 and replace what is not UTF-8.",
  other: "Browsers split the URL into its parts before they decode escapes.",
} as const;

/** Why browsers read a URL differently from the specification. */
export type ReadingDifferenceCode = keyof typeof MESSAGES;

export interface ReadingDifference {
  readonly code: ReadingDifferenceCode;
  readonly message: string;
}

/** How browsers read an input that the specification reads differently or refuses. */
export interface BrowserReading {
  /** The URL that a browser opens. */
  readonly opens: string;
  /** The canonical form of that URL according to the specification. */
  readonly canonical: string;
  readonly differences: readonly ReadingDifference[];
}

/** A mistyped scheme: its colon is missing or is a semicolon, or one of its letters is missing. */
const MISTYPED_SCHEME = /^(?:https?(?:;|\/\/)|(?:[ht]tps?|t?ps)(?:[:;]|\/\/))/i;

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** How browsers read an input. `null` if they do not open it or read it in the same way as the specification. */
export function browserReading(
  input: string | Uint8Array,
  { specification, browser, opens }: UrlReadings,
): BrowserReading | null {
  if (browser === null || browser === specification) return null;
  return {
    opens: opens ?? browser.href,
    canonical: browser.href,
    differences: differencesOf(input, browser).map((code) => ({ code, message: MESSAGES[code] })),
  };
}

function differencesOf(
  input: string | Uint8Array,
  browser: CanonicalUrl,
): readonly ReadingDifferenceCode[] {
  const text = typeof input === "string" ? input : decodeUtf8(input);
  if (text === null) return ["encoding"];
  const found: ReadingDifferenceCode[] = [];
  const start = trimStart(text);
  const isMistyped = MISTYPED_SCHEME.test(start);
  const rest = start.replace(isMistyped ? /^[a-z]*[:;]?/i : SCHEME, "");
  if (isMistyped) found.push("scheme");
  const authority = rest.replace(/^[/\\]*/, "").split(/[/\\?#]/, 1)[0]!;
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  // In a query or fragment, a backslash is like any other character.
  if (rest.split(/[?#]/, 1)[0]!.includes("\\")) found.push("backslash");
  if (authority.includes("@") && authority.includes("%")) found.push("userinfo");
  const hasScheme = rest !== start;
  if (hasScheme && !/^\/\/[^/\\]/.test(rest) && !/^[/\\]*\\/.test(rest))
    found.push("slashes-missing");
  // The specification also removes TAB, CR, LF and spaces at the start, so they make no difference.
  if (start !== text && /^[^\t\r\n ]/.test(text)) found.push("control-character");
  if (/[^\0-\x7f]|%[89a-f]/i.test(host)) found.push("idna");
  if (browser.hostType !== "domain" && !host.startsWith(browser.host)) found.push("address");
  if (/(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/i.test(rest)) found.push("dots");
  return found.length > 0 ? found : ["other"];
}

function trimStart(text: string): string {
  let start = 0;
  while (start < text.length && /[\0- \x85\s]/.test(text[start]!)) start++;
  return text.slice(start);
}
