import type { Reply } from "../http/reply.ts";
import type { ServedList } from "../lists/served-lists.ts";
import { escapeHtml, pageHtml, pageReply } from "./html.ts";
import { contactHtml, type Operator, objectionHtml, operatorHtml } from "./operator.ts";

/* The page at `/blocked`, and what other programs show to people who are blocked. */

/**
 * Shows the address after the "#", which browsers never send, and puts it into the email to the operator. Firefox
 * appends the address percent-encoded.
 */
const SHOW_ADDRESS = `
const given = location.hash.slice(1);
let address = given;
if (!/^https?:/i.test(given)) {
  try {
    address = decodeURIComponent(given);
  } catch {}
}
if (/^https?:\\/\\//i.test(address)) {
  const shown = address.slice(0, 2000).replace(/[\\ud800-\\udbff]$/, "");
  document.querySelector("#address bdi").textContent = shown;
  document.querySelector("#address").hidden = false;
  for (const mail of document.querySelectorAll('a[href^="mailto:"]'))
    mail.href += "&body=" + encodeURIComponent(shown);
}
`;

const ADDRESS = `<p id="address" hidden>The address: <code><bdi></bdi></code><br>
<span class="quiet">Only your browser knows it. It was not sent to this server.</span></p>
<p>The address, or one that the page loads from, is on a list of dangerous sites.</p>`;

/**
 * The policy of pages that other programs send without our HTTP headers.
 */
const HEAD = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="robots" content="noindex">
`;

/** The reasons and contacts that the publishers of lists have signed, as HTML; empty if there are none. */
function reasonsHtml(lists: readonly ServedList[]): string {
  const items = lists.flatMap(({ name, loaded }) => {
    const { reason, contact } = loaded?.entry.manifest.about ?? {};
    if (reason === undefined && contact === undefined) return [];
    const why = reason === undefined ? "" : `: ${escapeHtml(reason)}`;
    const who = contact === undefined ? "" : ` (${contactHtml(contact)})`;
    return `<li>${escapeHtml(name)}${why}${who}</li>`;
  });
  return items.length === 0 ? "" : `<h2>Why?</h2>\n<ul>\n${items.join("\n")}\n</ul>`;
}

function contentOf(operator: Operator, about: string) {
  const title = "This page was blocked";
  const body = `<main class="blocked">
<h1>${title}</h1>
${about}
<h2>Who runs this blocklist?</h2>
${operatorHtml(operator)}
<h2>Is this a mistake?</h2>
${objectionHtml(operator)}
</main>`;
  const of = operator.name === null ? "" : ` · ${operator.name}`;
  return { title: title + of, body };
}

/**
 * The page at `/blocked`, which is the same for everybody: why entries are on these lists, who runs the lists, and how
 * to object.
 */
export function blockedPage(operator: Operator, lists: readonly ServedList[]): Reply {
  const about = `${ADDRESS}\n${reasonsHtml(lists)}`;
  return pageReply("blocked", 200, { ...contentOf(operator, about), script: SHOW_ADDRESS });
}

const page = (operator: Operator, about: string) =>
  pageHtml({ ...contentOf(operator, about), head: HEAD });

/** An error page for Squid, which replaces `%U` with the address and `%o` with the helper's message. */
function squid(operator: Operator): string {
  // The settings contain no control characters, so \0 can stand for the percent sign of a code.
  const about = `<p>The address: <code><bdi>\0U</bdi></code></p>
<p>The reason: \0o</p>`;
  return page(operator, about).replaceAll("%", "%%").replaceAll("\0", "%");
}

/** A page for nginx's `error_page`. */
function nginx(operator: Operator): string {
  return page(
    operator,
    "<p>Its address, or the address of the link, is on a list of dangerous sites.</p>",
  );
}

/** A rule for rspamd's module `force_actions`. The sender's mail server gets one line in ASCII. */
function rspamd({ name, contact }: Operator): string {
  const by = name === null ? "" : ` of ${name}`;
  const objection = contact === null ? "" : ` Is this a mistake? ${contact}`;
  const message = `A link in this message is on a blocklist${by}.${objection}`;
  // rspamd expands names after a dollar sign, so dollar signs become question marks, too.
  const ascii = message
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^ -#%-~]/g, "?");
  return `# /etc/rspamd/local.d/force_actions.conf: reject mail with a listed link.
rules {
  URLHASH_REJECT {
    action = "reject";
    expression = "URLHASH_LISTED";
    message = ${JSON.stringify(ascii)};
  }
}
`;
}

/** Makes the page or message for each program, by the program's name. */
export const BLOCK_MESSAGES: Readonly<Record<string, (operator: Operator) => string>> = {
  squid,
  nginx,
  rspamd,
};
