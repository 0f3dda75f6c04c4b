import { type CanonicalUrl, explainCanonicalization } from "@x/canon";
import { hasInvalidIdn } from "@x/canon/browser";
import { localHost } from "@x/canon/local-hosts";
import { coverage, type Expression } from "@x/expressions";
import { type HostOptions, isWholeHost } from "./accept-entry.ts";
import type { WarningCode } from "./problems.ts";

export interface Linter {
  /** Warns about an entry that is broad, or has an odd text. */
  text(text: string, url: CanonicalUrl): void;
  /** Warns about oddities of an entry that do not depend on its spelling in the source. */
  entry(url: CanonicalUrl, expression: Expression): void;
}

export function linter(
  { isPublicSuffix, endsInTopLevelDomain }: HostOptions,
  warn: (code: WarningCode) => void,
): Linter {
  return {
    text(text, url) {
      for (const code of changedParts(text, url)) warn(code);
      if (SIGN_OF_CUT.test(text) && CUT.test(text)) warn("url-cut");
      if (endsInCopied(text, url)) warn("copied-character");
      if (hasInvalidIdn(url.host)) warn("invalid-idn");
      if (isWholeHost(url) && isPublicSuffix?.(url.host)) warn("public-suffix");
    },
    entry(url, expression) {
      const { host, hostType } = url;
      const isName = hostType === "domain" && host.includes(".");
      if (isPublicSuffix && isName && !endsInTopLevelDomain(host)) {
        warn("top-level-domain-unknown");
      }
      if (localHost(host) !== null) warn("local-address");
      if (isTooDeep(url, expression)) warn("covers-nothing-below");
    },
  };
}

const NOTHING: readonly WarningCode[] = [];
const PORT = /^:[0-9]*(?:[/?#]|$)/;
/** A quick check for most texts: only a text that matches may have a fragment, or a segment ".." in its path. */
const MAY_CHANGE = /^[^?]*(?:%|\/\.\.)|#/;
const AUTHORITY_START = /^(?:[A-Za-z][A-Za-z0-9+.-]*:)?\/\//;
/** Matches a segment ".." in the path of an unescaped URL. */
const LEADS_UP = /^[^?]*\/\.\.(?:[/?]|$)/;

/** The parts of `text` that its canonical form does not have. */
function changedParts(text: string, url: CanonicalUrl): readonly WarningCode[] {
  if (!MAY_CHANGE.test(text)) {
    if (!text.includes(":") && !text.includes("@")) return NOTHING;
    // The host is usually canonical already, so only the text after it has to be checked.
    const start = AUTHORITY_START.exec(text)?.[0].length ?? 0;
    const rest = text.startsWith(url.host, start) ? text.slice(start + url.host.length) : "@";
    if (rest === "" || rest[0] === "/") return NOTHING;
    if (PORT.test(rest)) return ["port-dropped"];
  }
  const steps = explainCanonicalization(text);
  return steps.flatMap(({ step, changed }, i) => {
    if (!changed) return NOTHING;
    if (step === "remove-fragment") {
      return isViewOfSite(text, url) ? ["fragment-of-site"] : ["fragment-dropped"];
    }
    if (step === "drop-userinfo") return ["user-dropped"];
    if (step === "drop-port") return ["port-dropped"];
    const isCollapsed = step === "resolve-dot-segments" && LEADS_UP.test(steps[i - 1]!.text);
    return isCollapsed ? ["path-collapsed"] : NOTHING;
  });
}

/**
 * Matches a fragment that stands for the page itself, not for one of its views. In HTML, `top` stands for the top of a
 * page.
 */
const OF_WHOLE_PAGE = /^(?:[!/]*|top)$/i;

/** Whether a URL would stand for a whole site without its fragment, as in `https://shared.example/#!abc`. */
function isViewOfSite(text: string, { path, query }: CanonicalUrl): boolean {
  if (path !== "/" || (query !== null && query !== "")) return false;
  return !OF_WHOLE_PAGE.test(text.slice(text.indexOf("#") + 1).trimEnd());
}

/**
 * Matches a text that was probably cut short for display: with an ellipsis or a mark such as `(truncated)` at its end,
 * with `...` as a segment of its path, or with the character `…` or `‥`.
 */
const CUT =
  /(?:\.{3}|%(?:25)*E2%(?:25)*80%(?:25)*A[56]|%u2026|&(?:hellip|#8230|#x2026);|[([{<]?(?:truncated|snip(?:ped)?)[)\]}>])[)\]}>'"/]*$|\/\.{3}[/?#]|[\u2025\u2026]/i;
/** A quick check for most texts: a text that matches {@link CUT} also matches this expression. */
const SIGN_OF_CUT = /\.{3}|%(?:25)*(?:E2|u2)|&(?:h|#)|[)\]}>\u2025\u2026]/i;

/** Punctuation that people copy along with a URL from sentences, tables and HTML. */
const COPIED = /[,;'|]$|&amp;/;
/**
 * Matches characters at the end of a path or query that were probably copied along: the end of a sentence or quotation,
 * spaces and invisible characters.
 */
const COPIED_AFTER_PATH =
  /(?:[!\xa0\xad\xbb\u2019\u201d\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|(?<!\.)\.|%(?:20|22|0A|0D)|%C2%A0|%E2%80%(?:8[B-F]|99|9D))$/i;
const OPENERS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** Whether a URL ends in something that was probably copied with it. */
function endsInCopied(text: string, { path, query }: CanonicalUrl): boolean {
  if (COPIED.test(text)) return true;
  if (path === "/" && query === null) return false;
  const hash = text.indexOf("#");
  const written = hash < 0 ? text : text.slice(0, hash);
  const last = written.at(-1)!;
  if (last === "*") return query === null;
  const opener = OPENERS[last];
  if (opener === undefined) return COPIED_AFTER_PATH.test(written);
  return written.split(opener).length < written.split(last).length;
}

/*
 * Whether a host with a number of dots covers all hosts below it, and a folder at a depth all paths below it. Each
 * answer is computed once and kept, because millions of entries may need it.
 */
const hostCovers: boolean[] = [];
const folderCovers: boolean[] = [];

/**
 * Whether an entry looks as if it covered everything below it, but is not an expression of the URLs in its folder or of
 * the hosts below its host.
 */
export function isTooDeep({ host, hostType, path }: CanonicalUrl, expression: Expression): boolean {
  const isFolder = path.endsWith("/") && expression.length === host.length + path.length;
  if (!isFolder) return false;
  if (path !== "/") {
    const depth = count(path, "/") - 1;
    folderCovers[depth] ??= coverage(`a.b/${"x/".repeat(depth)}`).pathsBelow;
    return !folderCovers[depth];
  }
  const dots = count(host, ".");
  if (hostType !== "domain" || dots === 0) return false;
  hostCovers[dots] ??= coverage(`${"a.".repeat(dots)}b`).hostsBelow;
  return !hostCovers[dots];
}

function count(text: string, character: string): number {
  let found = 0;
  for (let i = text.indexOf(character); i >= 0; i = text.indexOf(character, i + 1)) found++;
  return found;
}
