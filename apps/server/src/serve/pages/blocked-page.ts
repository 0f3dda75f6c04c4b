import { formatDuration } from "@x/command-line";
import type { Reply } from "../http/reply.ts";
import type { ListedSince } from "../lists/listed-since.ts";
import type { ServedList } from "../lists/served-lists.ts";
import { isListOfSafeSites } from "../lists/threat-rows.ts";
import { escapeHtml, pageReply } from "./html.ts";
import type { Operator } from "./operator.ts";
import { objectionHtml, operatorHtml } from "./operator-html.ts";

/** The meanings of some standard lists, in everyday words. */
const MEANINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    malware: "Sites that may install harmful software on your device.",
    "social-engineering":
      "Deceptive sites, which may trick you into giving away passwords or money, or into installing something.",
    "social-engineering-extended-coverage":
      "Sites that are probably deceptive, and may trick you into giving away passwords or money.",
    "unwanted-software":
      "Sites that offer software which does things you do not expect, such as changing the settings of your browser.",
    "unwanted-software-android":
      "Sites that offer apps for Android which do things you do not expect.",
    "potentially-harmful-application": "Sites that offer apps which may harm your device.",
    billing:
      "Sites that may trick you into paying without noticing, such as through your phone bill.",
  }),
);

const TITLE = "Why was a page blocked?";
const SUBJECT = "Blocked by mistake";
/** The maximum length of an address that is shown, in UTF-16 code units. */
const MAX_SHOWN = 2000;

const meaningOf = (name: string) => MEANINGS.get(name) ?? "A list that the operator keeps.";

/**
 * Shows the address after the "#", which browsers never send, and puts the address into the form and the email to the
 * operator. Firefox appends the address percent-encoded.
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
  const shown = address.slice(0, ${MAX_SHOWN}).replace(/[\\ud800-\\udbff]$/, "");
  document.querySelector("#address bdi").textContent = shown;
  document.querySelector("#address").hidden = false;
  document.querySelector("#url").value = address;
  document.querySelector("#field").hidden = true;
  const mail = document.querySelector('a[href^="mailto:"]');
  if (mail) mail.href += "&body=" + encodeURIComponent(shown);
}
`;

const ADDRESS = `<p id="address" hidden>The address: <code><bdi></bdi></code><br>
<span class="quiet">Only your browser knows it. It was not sent to this server.</span></p>`;

/** The form asks for the address, because the server needs it to tell which entry matched. */
const QUESTION = `<h2>Which list, and since when?</h2>
<form method="post" action="/blocked">
<div id="field"><label for="url">The address that was blocked</label>
<input id="url" name="url" required inputmode="url" autocomplete="off" autocapitalize="off" spellcheck="false"></div>
<button>Ask how long it has been listed</button>
<p class="quiet">If you ask, this server learns the address. It does not keep it.</p>
</form>`;

/** A time in HTML that both people and programs can read. */
function timeHtml(milliseconds: number): string {
  const iso = new Date(milliseconds).toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 10)}, ${iso.slice(11, 16)} UTC</time>`;
}

/** The age of the served version, as HTML. */
function ageHtml({ loaded }: ServedList, now: number): string {
  if (loaded === null) return "No version of this list is served at the moment.";
  const { version, issued, withdrawn } = loaded.entry.manifest;
  const when = `${timeHtml(issued)}, ${formatDuration(Math.max(0, now - issued))} ago`;
  return withdrawn
    ? `The operator withdrew this list: ${when}. Browsers stop using it with their next update.`
    : `Version ${version}: ${when}.`;
}

/** A page for somebody who was blocked; `url` is the blocked address if the server knows it. */
function reply(
  status: number,
  about: string,
  operator: Operator,
  subject: string,
  url: string | null = null,
) {
  const body = `<main class="blocked">
<h1>${TITLE}</h1>
${about}
<h2>Who runs this blocklist?</h2>
${operatorHtml(operator)}
<h2>Is this a mistake?</h2>
${objectionHtml(operator, subject, url)}
<p class="quiet last">This page sets no cookies, and its server does not record what you wanted to open.</p>
</main>`;
  const of = operator.name === null ? "" : ` · ${operator.name}`;
  const script = url === null ? { script: SHOW_ADDRESS } : {};
  return pageReply("blocked", status, { title: `${TITLE}${of}`, body, hasForm: true, ...script });
}

const linkTo = (list: string) => `<a href="/blocked/${escapeHtml(list)}">${escapeHtml(list)}</a>`;

/** The page for somebody who was blocked and does not know by which list. */
export function blockedPage(lists: readonly ServedList[], operator: Operator, now: number): Reply {
  const rows = lists
    .filter(({ row }) => !isListOfSafeSites(row))
    .map(
      (list) =>
        `<dt>${linkTo(list.name)}</dt>
<dd>${meaningOf(list.name)}<br><span class="quiet">${ageHtml(list, now)}</span></dd>`,
    );
  const shown =
    rows.length === 0
      ? "<p>No public list is served at the moment.</p>"
      : `<p>The program that sent you here found the address on one of these lists, or on a private one:</p>\n<dl>\n${rows.join("\n")}\n</dl>`;
  return reply(200, `${ADDRESS}\n${shown}\n${QUESTION}`, operator, SUBJECT);
}

/** The page for somebody who was blocked by the list `name`; `lists` are the public lists. */
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
    return reply(404, `${about}\n${QUESTION}`, operator, SUBJECT);
  }
  const about = `${ADDRESS}
<p>The program that sent you here blocked the address because of the list <strong>${escapeHtml(name)}</strong>. ${meaningOf(name)}</p>
<p class="quiet">${ageHtml(list, now)} <a href="/blocked">All lists of this server</a></p>
${QUESTION}`;
  return reply(200, about, operator, `${SUBJECT}: ${name}`);
}

/** An entry that blocks an address, with the time since when the entry has been listed. */
export interface FoundEntry extends ListedSince {
  readonly list: string;
  readonly expression: string;
}

function entryHtml({ list, expression, time, isExact }: FoundEntry, now: number): string {
  const ago = formatDuration(Math.max(0, now - time));
  const since = isExact
    ? `since ${timeHtml(time)}, ${ago} ago`
    : `since ${timeHtml(time)} at the latest, for ${ago} or longer`;
  return `<dt>${linkTo(list)}</dt>
<dd>${meaningOf(list)}<br>The entry <code><bdi>${escapeHtml(expression)}</bdi></code> has been listed ${since}.</dd>`;
}

/** The start of a long address, without half a surrogate pair at its end. */
const shortened = (url: string) => url.slice(0, MAX_SHOWN).replace(/[\ud800-\udbff]$/, "");

/** The page for somebody who asked how long an address has been listed. */
export function listedSincePage(
  url: string,
  found: readonly FoundEntry[],
  operator: Operator,
  now: number,
): Reply {
  const entries =
    found.length === 0
      ? `<p>No public list of this server has this address now. It may be on a private list, or it was removed a short time ago; then
browsers stop blocking it with their next update.</p>`
      : `<dl>\n${found.map((entry) => entryHtml(entry, now)).join("\n")}\n</dl>`;
  const shown = shortened(url);
  const about = `<p>The address: <code><bdi>${escapeHtml(shown)}</bdi></code></p>
<h2>Which list, and since when?</h2>
${entries}
<p><a href="/blocked">All lists of this server</a></p>`;
  const names = [...new Set(found.map(({ list }) => list))].join(", ");
  const subject = names === "" ? SUBJECT : `${SUBJECT}: ${names}`;
  return reply(200, about, operator, subject, shown);
}

/** The page for somebody whose question about an address cannot be answered. */
export function noAnswerPage(status: number, message: string, operator: Operator): Reply {
  const about = `${ADDRESS}\n<p class="problem">${escapeHtml(message)}</p>\n${QUESTION}`;
  return reply(status, about, operator, SUBJECT);
}
