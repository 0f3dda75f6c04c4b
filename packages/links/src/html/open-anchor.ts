import type { FoundLink, LinkSink } from "../found-link.ts";
import { shownAsOther } from "./shown-host.ts";

const LONGEST_SHOWN_TEXT = 1000;

/** The link whose text is being read. */
export interface OpenAnchor {
  readonly isOpen: () => boolean;
  /** Begins a link, unless one is open: then, this one is passed on as it is. */
  readonly open: LinkSink;
  /** Adds text that the link shows. Returns whether the text only repeats a link that is found anyway. */
  readonly read: (chars: string) => boolean;
  readonly close: () => void;
}

/** @param add Takes the links once it is known what they show. */
export function openAnchor(add: LinkSink): OpenAnchor {
  let opened: { readonly link: FoundLink; text: string } | null = null;
  const close = () => {
    if (opened === null) return;
    const { link, text } = opened;
    opened = null;
    add({ ...link, shown: shownAsOther(text, link.url) });
  };
  return {
    isOpen: () => opened !== null,
    open(link) {
      if (opened === null) opened = { link, text: "" };
      else add(link);
    },
    read(chars) {
      if (opened === null) return false;
      opened.text += chars;
      const leadsElsewhere = isElsewhere(opened.link);
      if (opened.text.length > LONGEST_SHOWN_TEXT) close();
      return leadsElsewhere;
    },
    close,
  };
}

/** Whether a link leads to another page, and is not only there for a script. */
export function isElsewhere({ url, text }: Pick<FoundLink, "url" | "text">): boolean {
  return /^(?:https?|ftp):/i.test(url) && !text.startsWith("#");
}
