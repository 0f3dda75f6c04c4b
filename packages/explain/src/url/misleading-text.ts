import { readUrl } from "@x/canon/readings";
import { type FoundLink, findLinks } from "@x/links";
import { unwrapLink } from "@x/links/unwrap";
import { type SiteOptions, sharedPlace, shortHost } from "./hosts.ts";

/** The host that the text of a link shows and the one that the link opens. */
export interface Misleading {
  readonly shows: string;
  readonly opens: string;
  /** Both in one sentence. */
  readonly message: string;
}

/**
 * Compares the visible text of a link with the URL that the link opens.
 *
 * @param text the visible text, if it names another host than the URL, as in `shown` of `findLinks`.
 * @param options with `imitations`, a text may name another site of the same well-known owner.
 * @returns the text as `shown`, unless the link leads to a host in it through a wrapper, or to one of the same owner; and
 * the two hosts as `misleads`, if it is known which one the link opens.
 */
export function misleadingText(
  text: string | null,
  url: string,
  options: SiteOptions = {},
): { readonly shown: string | null; readonly misleads: Misleading | null } {
  if (text === null || leadsToShown(text, url)) return { shown: null, misleads: null };
  const opens = openedHost(url);
  if (opens === null) return { shown: text, misleads: null };
  const owner = ownerOf(opens, options);
  const others = findLinks(text)
    .map((link) => hostOf(link.url))
    .filter((host) => host !== opens);
  const strangers = others.filter(
    (host) => owner === null || host === null || ownerOf(host, options) !== owner,
  );
  if (others.length > 0 && strangers.length === 0) return { shown: null, misleads: null };
  const shows = strangers.find((host) => host !== null) ?? text;
  const message = `The text shows ${shortHost(shows)}, but the link opens ${shortHost(opens)}.`;
  return { shown: text, misleads: { shows, opens, message } };
}

/** The well-known owner of what a host shows; `null` if it has none, and where anyone can publish. */
function ownerOf(host: string, options: SiteOptions): string | null {
  return sharedPlace(host, options) === null ? (options.imitations?.ownerOf(host) ?? null) : null;
}

/** Whether a wrapped link leads to the host that its text shows. */
function leadsToShown(shown: string, url: string): boolean {
  return unwrapLink(url).found.some(
    (inner) => inner.certainty !== "guess" && linkWithWords(shown, inner.url)?.shown === null,
  );
}

/** Reads a link and its words as if they were in HTML. */
function linkWithWords(words: string, url: string): FoundLink | undefined {
  const html = `<a href="${escapeHtml(url)}">${escapeHtml(words)}</a>`;
  return findLinks(html, { as: "html" }).find(({ where }) => where === "href");
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The host that a link opens; `null` if a wrapper hides where the link leads. */
function openedHost(url: string): string | null {
  const { found, closed } = unwrapLink(url);
  if (closed.length > 0) return null;
  const inside = found.filter(({ certainty }) => certainty !== "guess");
  return hostOf(inside.at(-1)?.url ?? url);
}

function hostOf(url: string): string | null {
  const { specification, browser } = readUrl(url);
  return (browser ?? specification)?.host ?? null;
}
