import { formatDuration } from "@x/command-line";
import { type Reply, textReply } from "../http/reply.ts";
import { NO_LISTS, type ServedList, type ServedLists } from "../lists/served-lists.ts";
import { firefoxSettings } from "./firefox-settings.ts";
import { escapeHtml, pageReply } from "./html.ts";
import { nameOf, type Operator, objectionHtml, operatorHtml } from "./operator.ts";

const COLUMNS = ["List", "Age", "Expires in", "Entries", "What changed", "Version", "In v5"];

const inWords = (count: number) => count.toLocaleString("en");

function row({ name, row, loaded, longer = [], problem }: ServedList, now: number): string {
  const head = `<th scope="row">${escapeHtml(name)}</th>`;
  const manifest = loaded?.entry.manifest;
  if (manifest === undefined) {
    const span = COLUMNS.length - 1;
    return `<tr>${head}<td colspan="${span}" class="problem">${escapeHtml(problem ?? "")}</td></tr>`;
  }
  const { version, issued, expires, contents, change, withdrawn, retired } = manifest;
  const changed = withdrawn
    ? retired
      ? "retired"
      : "withdrawn"
    : change === null
      ? "signed again, nothing changed"
      : `${inWords(change.addedEntries)} added, ${inWords(change.removedEntries)} removed`;
  const cells = [
    formatDuration(Math.max(0, now - issued)),
    retired ? "never" : formatDuration(Math.max(0, expires - now)),
    inWords(contents.fullHashes),
    problem ?? changed,
    String(version),
    row.v5 === null ? "–" : [row.v5, ...longer.map((each) => each.name)].join(", "),
  ];
  const html = cells.map((cell) =>
    cell === problem
      ? `<td class="problem">${escapeHtml(cell)}</td>`
      : `<td>${escapeHtml(cell)}</td>`,
  );
  return `<tr>${head}${html.join("")}</tr>`;
}

function table(lists: readonly ServedList[], now: number): string {
  if (lists.length === 0) return "<p>No list is published yet.</p>";
  const columns = COLUMNS.map((column) => `<th scope="col">${column}</th>`).join("");
  const rows = lists.map((list) => row(list, now)).join("\n");
  return `<div class="scroll" role="region" aria-label="Lists" tabindex="0">
<table>
<thead><tr>${columns}</tr></thead>
<tbody>
${rows}
</tbody>
</table>
</div>`;
}

/** The page at `/`, which shows the lists, their ages, who runs them, and how to use them. */
export function statusPage(
  lists: readonly ServedList[],
  operator: Operator,
  origin: string,
  now: number,
): Reply {
  const title = "Lists on this server";
  const settings = escapeHtml(firefoxSettings(origin, "v5", nameOf(operator, origin)));
  const body = `<main class="wide">
<h1>${title}</h1>
${table(lists, now)}
<h2>Who runs this server?</h2>
${operatorHtml(operator)}
<h2>Was a page blocked by mistake?</h2>
${objectionHtml(operator)}
<h2>Use the lists in Firefox</h2>
<p>Put these lines into the file <code>user.js</code> of a Firefox profile, and start Firefox again:</p>
<pre class="scroll" role="region" aria-label="Settings for Firefox" tabindex="0">${settings}</pre>
<h2>For programs and operators</h2>
<p>Clients of Safe Browsing use the API below <code>/v4/</code> and <code>/v5/</code>, and those of Web Risk the one
below <code>/v1/</code>. <a href="/openapi.json">/openapi.json</a> describes the whole API. For operators, there are
<a href="/healthz">/healthz</a>, <a href="/readyz">/readyz</a> and <a href="/metrics">/metrics</a>.</p>
</main>`;
  return pageReply("status", 200, {
    title: operator.name === null ? title : `${title} · ${operator.name}`,
    body,
  });
}

/** The answer of `/healthz`, which shows only that the process is running. */
export function healthReply(): Reply {
  return textReply("healthz", 200, "ok\n");
}

/** The answer of `/readyz` while the server only finishes its last answers. */
export const STOPPING: Reply = textReply("readyz", 503, "The server is stopping.\n");

/** How `/readyz` treats lists. */
export interface Readiness {
  readonly isPrivate: (list: string) => boolean;
  /** Whether the server is ready even if this list has a problem. */
  readonly isOptional: (list: string) => boolean;
}

/**
 * The answer of `/readyz`: whether the newest version of every list that is not optional is verified, not expired, and
 * served. The body has the problems of all lists, with the age of each version that is served in the meantime. Private
 * lists are not named.
 */
export function readyReply(
  lists: ServedLists,
  { isPrivate, isOptional }: Readiness = { isPrivate: () => false, isOptional: () => false },
  now: () => number = Date.now,
): Reply {
  function sentence({ name, loaded }: ServedList, problem: string): string {
    if (isPrivate(name)) return "A private list has a problem; see the log.";
    if (loaded === null) return `${problem}.`;
    const age = Math.max(0, now() - loaded.entry.manifest.issued);
    return `${problem}; the version that is served is ${formatDuration(age)} old.`;
  }
  const all = lists.all();
  if (all.length === 0) return textReply("readyz", 503, `${NO_LISTS}\n`);
  let isReady = true;
  const problems = all.flatMap((list) => {
    const { name, problem } = list;
    if (problem === null) return [];
    if (isOptional(name)) return [`${sentence(list, problem)} The list is optional.`];
    isReady = false;
    return [sentence(list, problem)];
  });
  const lines = isReady ? ["ready", ...problems] : problems;
  return textReply("readyz", isReady ? 200 : 503, `${lines.join("\n")}\n`);
}
