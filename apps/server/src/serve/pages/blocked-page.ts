import { formatDuration } from "../../duration.ts";
import type { Reply } from "../http/reply.ts";
import type { ServedList } from "../lists/served-lists.ts";
import { isListOfSafeSites } from "../lists/threat-rows.ts";
import { escapeHtml, pageReply } from "./html.ts";
import type { Operator } from "./operator.ts";
import { objectionHtml, operatorHtml } from "./operator-html.ts";

/** What the standard lists warn of, in a person's words. */
const MEANINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    malware: "Sites that may install harmful software on your device.",
    "social-engineering":
      "Deceptive sites, which may trick you into giving away passwords or money, or into installing something.",
    "social-engineering-extended-coverage":
      "Sites that are probably deceptive, and may trick you into giving away passwords or money.",
    "unwanted-software":
      "Sites that offer software which does things you do not expect, such as changing the settings of your browser.",
    "potentially-harmful-application": "Sites that offer apps which may harm your device.",
  }),
);

const meaningOf = (name: string) => MEANINGS.get(name) ?? "A list that the operator keeps.";

/**
 * Shows the address behind the "#", which browsers never send, and puts it into the mail to the operator. Firefox
 * appends it with escapes.
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
  document.querySelector("#address bdi").textContent = address.slice(0, 2000);
  document.querySelector("#address").hidden = false;
  const mail = document.querySelector('a[href^="mailto:"]');
  if (mail) mail.href += "&body=" + encodeURIComponent(address.slice(0, 2000));
}
`;

const ADDRESS = `<p id="address" hidden>The address: <code><bdi></bdi></code><br>
<span class="quiet">Only your browser knows it. It was not sent to this server.</span></p>`;

/** A time for people and for programs. */
function timeHtml(milliseconds: number): string {
  const iso = new Date(milliseconds).toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 10)}, ${iso.slice(11, 16)} UTC</time>`;
}

/** Since when the list is served as it is. */
function sinceHtml({ loaded }: ServedList, now: number): string {
  if (loaded === null) return "No version of this list is served at the moment.";
  const { version, issued, withdrawn } = loaded.entry.manifest;
  const when = `on ${timeHtml(issued)}, ${formatDuration(Math.max(0, now - issued))} ago`;
  return withdrawn
    ? `The operator withdrew this list ${when}. Browsers stop using it with their next update.`
    : `The current version, number ${version}, was published ${when}.`;
}

const UNKNOWN_SINCE =
  "This server does not know which address you wanted to open, so it cannot say when that address was added. The operator can.";

function reply(status: number, title: string, about: string, operator: Operator, subject: string) {
  const body = `<main class="blocked">
<h1>${title}</h1>
${about}
<h2>Who runs this blocklist?</h2>
${operatorHtml(operator)}
<h2>Is this a mistake?</h2>
${objectionHtml(operator, subject)}
<p class="quiet">This page sets no cookies, and does not need to know what you wanted to open.</p>
</main>`;
  const of = operator.name === null ? "" : ` · ${operator.name}`;
  return pageReply("blocked", status, { title: `${title}${of}`, body, script: SHOW_ADDRESS });
}

/** The page for somebody who was blocked, and does not know by which list. */
export function blockedPage(lists: readonly ServedList[], operator: Operator, now: number): Reply {
  const rows = lists
    .filter(({ row }) => !isListOfSafeSites(row))
    .map(
      (list) =>
        `<dt><a href="/blocked/${escapeHtml(list.name)}">${escapeHtml(list.name)}</a></dt>
<dd>${meaningOf(list.name)} <span class="quiet">${sinceHtml(list, now)}</span></dd>`,
    );
  const shown =
    rows.length === 0
      ? "<p>No public list is served at the moment.</p>"
      : `<p>What sent you here found its address on one of these lists, or on a private one:</p>\n<dl>\n${rows.join("\n")}\n</dl>`;
  const about = `${ADDRESS}\n${shown}\n<p>${UNKNOWN_SINCE}</p>`;
  return reply(200, "Why was a page blocked?", about, operator, "Blocked by mistake");
}

/** The page for somebody who was blocked by a list; the lists are those that anybody may know of. */
export function blockedByPage(
  name: string,
  lists: readonly ServedList[],
  operator: Operator,
  now: number,
): Reply {
  const list = lists.find((each) => each.name === name);
  if (list === undefined) {
    const about = `${ADDRESS}
<p>This server has no public list of that name. See <a href="/blocked">the lists that it has</a>.</p>`;
    return reply(404, "Why was a page blocked?", about, operator, "Blocked by mistake");
  }
  const shown = escapeHtml(name);
  const about = `${ADDRESS}
<p>What sent you here blocked it because of the list <strong>${shown}</strong>. ${meaningOf(name)}</p>
<h2>Since when?</h2>
<p>${sinceHtml(list, now)}</p>
<p>${UNKNOWN_SINCE}</p>
<p><a href="/blocked">All lists of this server</a></p>`;
  return reply(200, "Why was a page blocked?", about, operator, `Blocked by mistake: ${name}`);
}
