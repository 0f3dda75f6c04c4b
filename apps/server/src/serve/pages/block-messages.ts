import { pageHtml } from "./html.ts";
import type { Operator } from "./operator.ts";
import { objectionHtml, operatorHtml } from "./operator-html.ts";

/* Pages and messages that other programs show to people who are blocked. */

const SUBJECT = "Blocked by mistake";
/**
 * The Content-Security-Policy is in a meta element, because other programs send these pages without our HTTP headers.
 */
const HEAD = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="robots" content="noindex">
`;

function page(operator: Operator, about: string): string {
  const title = "This page was blocked";
  const body = `<main class="blocked">
<h1>${title}</h1>
${about}
<h2>Who runs this blocklist?</h2>
${operatorHtml(operator)}
<h2>Is this a mistake?</h2>
${objectionHtml(operator, SUBJECT)}
</main>`;
  const of = operator.name === null ? "" : ` · ${operator.name}`;
  return pageHtml({ title: title + of, body, head: HEAD });
}

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
