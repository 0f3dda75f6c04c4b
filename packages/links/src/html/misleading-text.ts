import { readUrl } from "@x/canon/readings";
import { scanText } from "../text/scan-text.ts";

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
