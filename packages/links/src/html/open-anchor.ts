import type { FoundLink, LinkSink } from "../found-link.ts";
import { shownAsOther } from "./shown-host.ts";

const LONGEST_SHOWN_TEXT = 1000;

/** The links whose text is being read: the URLs that one `<a>` may lead to. */
export interface OpenAnchor {
  readonly isOpen: () => boolean;
  /** Begins links, unless some are open: then, these are passed on as they are. */
  readonly open: (links: readonly FoundLink[]) => void;
  /** Adds text that the links show. Returns whether the text only repeats a link that is found anyway. */
  readonly read: (chars: string) => boolean;
  readonly close: () => void;
}

/** @param add Takes the links once it is known what they show. */
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

/** A fragment, nothing, or a whole attribute without a value. */
const FOR_A_SCRIPT = /^(?:#|\s*$|href(?:\s*=\s*(?:""|'')?)?$)/i;

/** Whether a link leads to another page, and is not only there for a script. */
export function isElsewhere({ url, text }: Pick<FoundLink, "url" | "text">): boolean {
  return /^(?:https?|ftp):/i.test(url) && !FOR_A_SCRIPT.test(text);
}
