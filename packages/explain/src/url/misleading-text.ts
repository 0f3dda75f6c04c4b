import { readUrl } from "@x/canon/readings";
import { type FoundLink, findLinks } from "@x/links";
import { unwrapLink } from "@x/links/unwrap";
import { shortHost } from "./hosts.ts";

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
 * @returns the text as `shown`, unless a wrapper leads to the host in it; and the two hosts as `misleads`, if it is known
 * which one the link opens.
 */
export function misleadingText(
  text: string | null,
  url: string,
): { readonly shown: string | null; readonly misleads: Misleading | null } {
  const isOther = text !== null && !leadsToShown(text, url);
  return { shown: isOther ? text : null, misleads: isOther ? hostsOf(text, url) : null };
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

/** The hosts that a link shows and opens; `null` if a wrapper hides where the link leads. */
function hostsOf(shown: string, url: string): Misleading | null {
  const { found, closed } = unwrapLink(url);
  if (closed.length > 0) return null;
  const inside = found.filter(({ certainty }) => certainty !== "guess");
  const opens = hostOf(inside.at(-1)?.url ?? url);
  if (opens === null) return null;
  const hosts = findLinks(shown).map((link) => hostOf(link.url));
  const shows = hosts.find((host) => host !== null && host !== opens) ?? shown;
  const message = `The text shows ${shortHost(shows)}, but the link opens ${shortHost(opens)}.`;
  return { shows, opens, message };
}

function hostOf(url: string): string | null {
  const { specification, browser } = readUrl(url);
  return (browser ?? specification)?.host ?? null;
}
