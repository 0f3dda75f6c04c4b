// Decides whether a text may be posted. This program keeps the lists of a server of Safe Browsing v5 itself, so the
// server learns neither the texts nor the URLs.
import { createClient } from "@x/client";
import { findLinks, linePlaces, unwrapLink } from "@x/links";

const { LISTS_SERVER: server, LISTS_KEY: key, LISTS: lists = "mw-4b,se-4b" } = process.env;
const client = createClient({ protocol: "v5", server, key, lists: lists.split(",") });
client.start();
client.ready().catch((error) => console.error(`There are no lists yet: ${error.message}`));

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
