import { findLinks } from "../../../../packages/links/dist/index.js";
import { oddHtml } from "../../../support/odd-html.js";

const same = (url) => (URL.canParse(url) ? new URL(url).href : url);

/**
 * The URL in attributes that the documents repeat. When Chromium preloads URLs before it has parsed the tags, it uses
 * the last of the repeated attributes.
 */
const DOUBLED_ATTRIBUTE = "http://ignored.test/";

/** Leaves out URLs with other schemes, and references that do not parse. */
const isCompared = (url) => /^https?:/i.test(url) && URL.canParse(url);

/** The URLs that browsers report for the documents of some seeds, and that `findLinks` does not find. */
export async function missedLinks(both, seeds) {
  const missed = [];
  let compared = 0;
  for (const browser of both.all) await browser.start();
  for (const seed of seeds) {
    const html = oddHtml(seed);
    const links = findLinks(html, { as: "html", base: both.startPage });
    const found = new Set(links.map(({ url }) => same(url)));
    for (const browser of both.all) {
      const references = await browser.references(html);
      const requested = references.requested.filter((url) => url !== DOUBLED_ATTRIBUTE);
      const reported = [...references.reported, ...requested].filter(isCompared).map(same);
      compared += reported.length;
      for (const url of reported) {
        if (!found.has(url)) missed.push({ browser: browser.name, seed, url });
      }
    }
  }
  return { missed, compared };
}
