import { formatDuration } from "../../duration.ts";
import type { Reply } from "../http/reply.ts";
import type { ServedList } from "../lists/served-lists.ts";
import { firefoxSettings } from "./firefox-settings.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character]!);
}

function row({ name, row, loaded, problem }: ServedList, now: number): string {
  const manifest = loaded?.entry.manifest;
  if (manifest === undefined) {
    return `<tr><th scope="row">${escapeHtml(name)}</th><td colspan="5" class="problem">${escapeHtml(problem ?? "")}</td></tr>`;
  }
  const { version, issued, expires, contents, change, withdrawn } = manifest;
  const changed = withdrawn
    ? "withdrawn"
    : change === null
      ? "signed again, nothing changed"
      : `${change.addedEntries} added, ${change.removedEntries} removed`;
  const cells = [
    row.v5 ?? "",
    String(version),
    String(contents.fullHashes),
    `${formatDuration(now - issued)} ago; valid for ${formatDuration(expires - now)}`,
    problem === null ? changed : problem,
  ];
  const html = cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("");
  return `<tr><th scope="row">${escapeHtml(name)}</th>${html}</tr>`;
}

/** The page for people: which lists there are, how old they are, and how to use them. */
export function statusPage(lists: readonly ServedList[], origin: string, now: number): Reply {
  const rows = lists.map((list) => row(list, now)).join("\n");
  const settings = escapeHtml(firefoxSettings(origin, "v5", "This server"));
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Lists on this server</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; padding: 0.4rem 0.8rem 0.4rem 0; border-bottom: 1px solid #8888; }
  pre { overflow-x: auto; padding: 1rem; border: 1px solid #8888; }
  .problem { color: #c00; }
</style>
<h1>Lists on this server</h1>
${
  rows === ""
    ? "<p>No list is published yet.</p>"
    : `<table>
<thead><tr><th scope="col">List</th><th scope="col">In v5</th><th scope="col">Version</th><th scope="col">Entries</th><th scope="col">Last published</th><th scope="col">What changed</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>`
}
<h2>Use them in Firefox</h2>
<p>Put these lines into the file <code>user.js</code> of a Firefox profile, and start Firefox again:</p>
<pre>${settings}</pre>
<p>Clients of Safe Browsing use the API below <code>/v4/</code> and <code>/v5/</code>, and those of Web Risk the one
below <code>/v1/</code>. <a href="/openapi.json">/openapi.json</a> describes the whole API. For operators, there are
<a href="/healthz">/healthz</a>, <a href="/readyz">/readyz</a> and <a href="/metrics">/metrics</a>.</p>
</html>
`;
  return {
    route: "status",
    status: 200,
    body: Buffer.from(body),
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy":
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
    },
  };
}
