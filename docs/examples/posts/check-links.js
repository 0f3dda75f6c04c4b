// Decides whether a text may be posted. This program keeps the lists itself, those of a store on any web server or
// those of a server of Safe Browsing v5, so nobody learns the texts or the URLs.
import { createClient } from "@x/client";
import { findLinks, linePlaces, unwrapLink } from "@x/links";

const {
  LISTS = "mw-4b,se-4b",
  LISTS_STORE,
  LISTS_PUBLIC_KEY,
  LISTS_SERVER,
  LISTS_KEY,
} = process.env;
const lists = LISTS.split(",");
const client = createClient(
  LISTS_STORE
    ? { protocol: "store", server: LISTS_STORE, publicKeys: [LISTS_PUBLIC_KEY], lists }
    : { protocol: "v5", server: LISTS_SERVER, key: LISTS_KEY, lists },
);
client.start();
client.ready().catch((error) => console.error(`There are no lists yet: ${error.message}`));

/** Ends the updates of the lists. */
export const stop = () => client.stop();

/** Reasons that do not go away with time: nobody can say which site opens, or the link has too many URLs inside. */
const NEVER_CLEAR = new Set(["url-undecided", "unwrap-limit"]);

/** Why a text is refused, as the status and the body of an answer; `null` if it may be posted. */
export async function refusalOf(text) {
  if (typeof text !== "string") return { status: 400, body: { error: "The text is missing." } };
  const places = linePlaces(text);
  const checked = await Promise.all(
    findLinks(text, { as: "markdown", base: "https://forum.example/" }).map(async (link) => ({
      ...places.placeOf(link.start),
      ...(await client.check(link.url, { unwrap: unwrapLink })),
    })),
  );
  // No browser opens a site at an invalid URL, such as a mailto: link.
  const bad = checked.filter((link) => link.verdict !== "safe" && link.reason !== "url-invalid");
  if (bad.length === 0) return null;
  const links = bad.map(({ url, matches, reason, line, column }) => {
    const link = url.replace(/^http/i, "hxxp").replaceAll(".", "[.]");
    return { link, list: matches[0]?.list ?? null, reason, line, column };
  });
  return bad.some(({ reason }) => reason === null || NEVER_CLEAR.has(reason))
    ? { status: 422, body: { error: "Some links are not allowed.", links } }
    : { status: 503, body: { error: "Some links could not be checked.", links } };
}
