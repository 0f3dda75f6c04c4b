import { readUrl } from "@x/canon/readings";
import { scanText } from "../text/scan-text.ts";

const LONGEST_SHOWN = 200;
/** Their text may well be another name: an address, a number. */
const NOT_OPENED = /^(?:mailto|tel|sms|xmpp|cid):/i;

/** The text of a link, if it looks like a URL or host that is not that of the link; otherwise `null`. */
export function shownAsOther(text: string, url: string): string | null {
  const shown = text.replace(/\s+/g, " ").trim().slice(0, LONGEST_SHOWN);
  if (shown === "" || NOT_OPENED.test(url)) return null;
  let isOther = false;
  scanText({ text: shown, from: 0, isLast: true }, (link) => {
    isOther ||= !isSameSite(hostOf(link.url), hostOf(url));
  });
  return isOther ? shown : null;
}

/** Whether two hosts are the same one, or one of them is in the other. */
function isSameSite(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other;
  return `.${one}`.endsWith(`.${other}`) || `.${other}`.endsWith(`.${one}`);
}

function hostOf(url: string): string | null {
  const { specification, browser } = readUrl(url);
  return (browser ?? specification)?.host.replace(/^www\./, "") ?? null;
}
