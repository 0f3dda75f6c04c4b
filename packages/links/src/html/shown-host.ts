import { readUrl } from "@x/canon/readings";
import { scanText } from "../text/scan-text.ts";
import { registrable } from "../top-level.ts";

const LONGEST_SHOWN = 200;
/** Their text may well be another name: an address, a number. */
const NOT_OPENED = /^(?:mailto|tel|sms|xmpp|cid):/i;

/** The text of a link, if it looks like a URL or host that is not that of the link; otherwise `null`. */
export function shownAsOther(text: string, url: string): string | null {
  const shown = text.replace(/\s+/g, " ").trim().slice(0, LONGEST_SHOWN);
  if (shown === "" || NOT_OPENED.test(url)) return null;
  let isOther = false;
  scanText({ text: shown, from: 0, isLast: true }, (link) => {
    isOther ||= ownerOf(link.url) !== ownerOf(url);
  });
  return isOther ? shown : null;
}

function ownerOf(url: string): string | null {
  const { specification, browser } = readUrl(url);
  const opened = browser ?? specification;
  return opened === null ? null : registrable(opened.host);
}
