import { formatDuration } from "@x/command-line";
import { type Reply, textReply } from "../http/reply.ts";
import { NO_LISTS, type ServedList, type ServedLists } from "../lists/served-lists.ts";
import { pageReply } from "./html.ts";
import { type Operator, objectionHtml, operatorHtml } from "./operator.ts";

/** The page at `/`: who runs the server, how to object, and where programs find what they need. */
export function statusPage(operator: Operator): Reply {
  const title = "Lists of dangerous sites";
  const body = `<main>
<h1>${title}</h1>
<h2>Who runs this server?</h2>
${operatorHtml(operator)}
<h2>Was a page blocked by mistake?</h2>
${objectionHtml(operator)}
<h2>For programs and operators</h2>
<p>Clients of Safe Browsing use the API below <code>/v4/</code> and <code>/v5/</code>, and those of Web Risk the one
below <code>/v1/</code>. <a href="/openapi.json">/openapi.json</a> describes the whole API. For operators, there are
<a href="/healthz">/healthz</a>, <a href="/readyz">/readyz</a> and <a href="/metrics">/metrics</a>.</p>
</main>`;
  const of = operator.name === null ? "" : ` · ${operator.name}`;
  return pageReply("status", 200, { title: title + of, body });
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
