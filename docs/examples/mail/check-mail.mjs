// Decides whether a mail is refused. This program keeps the lists of a server of Safe Browsing v5 itself, so the server
// learns neither the mails nor the URLs.
import { createClient } from "@x/client";
import { unwrapLink } from "@x/links";
import { findLinksInMail } from "@x/links/mail";

const { LISTS_SERVER: server, LISTS_KEY: key, LISTS: lists = "mw-4b,se-4b" } = process.env;
const client = createClient({ protocol: "v5", server, key, lists: lists.split(",") });
client.start();
client.ready().catch((error) => console.error(`There are no lists yet: ${error.message}`));

/** Reasons that do not go away with time: nobody can say which site opens, or the link has too many URLs inside. */
const NEVER_CLEAR = new Set(["url-undecided", "unwrap-limit"]);

/** Why a mail is refused, as the code and the text of a reply over SMTP; `null` if it is accepted. */
export async function refusalOf(mail) {
  const { links, problems } = await findLinksInMail(mail);
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
    return { code: 550, text: text.replace(/[^ -~]/g, "?").slice(0, 400) };
  }
  if (problems.length > 0) return { code: 550, text: `5.6.0 Unreadable: ${problems[0].code}` };
  return bad.length === 0 ? null : { code: 450, text: "4.7.1 Links not checked. Try again later." };
}
