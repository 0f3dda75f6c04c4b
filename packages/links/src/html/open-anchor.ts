import { readUrl } from "@x/canon/readings";
import type { FoundLink, LinkSink } from "../found-link.ts";
import { scanText } from "../text/scan-text.ts";

const LONGEST_SHOWN_TEXT = 1000;

/** The links of the `<a>` whose text is being read: one for each URL that it may lead to. */
interface OpenAnchor {
  readonly isOpen: () => boolean;
  /** Opens links. If others are open, the new links are passed on without their text. */
  readonly open: (links: readonly FoundLink[]) => void;
  /**
   * Adds visible text of the open links. Returns whether all of these links lead to other pages, so that the text is
   * not searched.
   */
  readonly read: (chars: string) => boolean;
  readonly close: () => void;
}

/** @param add Called with each link once its text is known. */
export function openAnchor(add: LinkSink): OpenAnchor {
  let opened: { readonly links: readonly FoundLink[]; text: string } | null = null;
  const close = () => {
    if (opened === null) return;
    const { links, text } = opened;
    opened = null;
    for (const link of links) add({ ...link, shown: shownAsOther(text, link.url) });
  };
  return {
    isOpen: () => opened !== null,
    open(links) {
      if (links.length === 0) return;
      if (opened === null) opened = { links, text: "" };
      else for (const link of links) add(link);
    },
    read(chars) {
      if (opened === null) return false;
      opened.text += chars;
      const leadsElsewhere = opened.links.every(isElsewhere);
      if (opened.text.length > LONGEST_SHOWN_TEXT) close();
      return leadsElsewhere;
    },
    close,
  };
}

/** A link that usually only runs a script: a fragment, an empty value, or an attribute without a value. */
const FOR_A_SCRIPT = /^(?:#|\s*$|href(?:\s*=\s*(?:""|'')?)?$)/i;

/** Whether a link leads to another page, rather than only running a script. */
export function isElsewhere({ url, text }: Pick<FoundLink, "url" | "text">): boolean {
  return /^(?:https?|ftp):/i.test(url) && !FOR_A_SCRIPT.test(text);
}

const LONGEST_SHOWN = 200;
/** Schemes of links whose text is often an address or a number instead of a host. */
const NOT_OPENED = /^(?:mailto|tel|sms|xmpp|cid):/i;

/** The text of a link if it contains a URL or host of another site; otherwise `null`. */
export function shownAsOther(text: string, url: string): string | null {
  const shown = text.replace(/\s+/g, " ").trim().slice(0, LONGEST_SHOWN);
  if (shown === "" || NOT_OPENED.test(url)) return null;
  let isOther = false;
  scanText({ text: shown, from: 0, isLast: true }, (link) => {
    isOther ||= !isSameSite(hostOf(link.url), hostOf(url));
  });
  return isOther ? shown : null;
}

/** Whether two hosts are equal, or one is a subdomain of the other. */
function isSameSite(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other;
  return `.${one}`.endsWith(`.${other}`) || `.${other}`.endsWith(`.${one}`);
}

function hostOf(url: string): string | null {
  const { specification, browser } = readUrl(url);
  return (browser ?? specification)?.host.replace(/^www\./, "") ?? null;
}
