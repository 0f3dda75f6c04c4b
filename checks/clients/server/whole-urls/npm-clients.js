// Asks two packages from npm about the URLs in the arguments, and prints which of them they call listed.
import { createRequire } from "node:module";
import process from "node:process";
import googleSafeBrowsing from "google-safe-browsing";

const safeBrowseUrlLookup = createRequire(import.meta.url)("safe-browse-url-lookup");
const urls = process.argv.slice(2);

const found = await safeBrowseUrlLookup({ apiKey: "key" }).checkMulti(urls);
const matches = await new googleSafeBrowsing.default("key").lookupUrl(urls);
console.log(
  JSON.stringify({
    "safe-browse-url-lookup": urls.filter((url) => found[url]),
    "google-safe-browsing": urls.filter((url) => matches.some(({ threat }) => threat.url === url)),
  }),
);
