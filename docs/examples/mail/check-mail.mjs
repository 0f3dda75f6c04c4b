// Decides whether an email is refused or tagged. This program keeps the lists itself, those of a store on any web
// server or those of a server of Safe Browsing v5, so nobody learns the emails or the URLs.
import { createClient } from "@x/client";
import { unwrapLink } from "@x/links";
import { findLinksInMail } from "@x/links/mail";

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

/** The headers that emails get here. Remove them from arriving emails, because anyone can forge them. */
export const HEADERS = ["X-Links-Refused", "X-Links-Unread"];

const asciiLine = (text) => text.replace(/[^ -~]/g, "?").slice(0, 400);

/**
 * What to do with an email: the code and the text of a reply over SMTP that refuses it, or `null`, and the headers that
 * an accepted email gets. With `TAG=1`, no email is refused, and the header `X-Links-Refused` says why it would have
 * been.
 */
export async function judge(mail) {
  const { links, unread, problems } = await findLinksInMail(mail);
  const headers = [];
  if (unread.length > 0) {
    const parts = unread.map(({ type, name }) => (name === null ? type : `${type} ${name}`));
    headers.push(["X-Links-Unread", asciiLine(parts.join(", "))]);
  }
  const refusal = await refusalOf(links, problems);
  if (refusal === null || process.env.TAG !== "1") return { refusal, headers };
  headers.push(["X-Links-Refused", refusal.text]);
  return { refusal: null, headers };
}

async function refusalOf(links, problems) {
  const checked = await Promise.all(
    links.map(async (link) => ({
      ...link,
      ...(await client.check(link.url, { unwrap: unwrapLink })),
    })),
  );
  // No browser opens a site at an invalid URL, such as a mailto: link.
  const bad = checked.filter((link) => link.verdict !== "safe" && link.reason !== "url-invalid");
  const refused = bad.find(({ reason }) => reason === null || NEVER_CLEAR.has(reason));
  if (refused !== undefined) {
    const { url, matches, reason, part, line, column } = refused;
    const link = url.replace(/^http/i, "hxxp").replaceAll(".", "[.]").slice(0, 200);
    const place = `${part.join(", ")}, line ${line}, column ${column}`;
    const text = `5.7.1 Link not allowed (${matches[0]?.list ?? reason}): ${link} in ${place}`;
    return { code: 550, text: asciiLine(text) };
  }
  if (problems.length > 0) return { code: 550, text: `5.6.0 Unreadable: ${problems[0].code}` };
  return bad.length === 0 ? null : { code: 450, text: "4.7.1 Links not checked. Try again later." };
}
