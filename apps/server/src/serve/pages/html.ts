import { createHash } from "node:crypto";
import type { Reply } from "../http/reply.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}

/** An HTML page for people. */
interface Page {
  readonly title: string;
  /** The content of the body as HTML, in which text is already escaped. */
  readonly body: string;
  /** A script that runs at the end of the page. */
  readonly script?: string;
  /** More elements for the head, such as a policy for pages that are sent without our HTTP headers. */
  readonly head?: string;
}

const STYLE = `
:root { color-scheme: light dark; --back: #fff; --front: #1d1d22; --quiet: #55555f; --link: #0a58b5; --mark: #b3261e; font: 1rem/1.55 system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { :root { --back: #17171b; --front: #ececf1; --quiet: #b0b0bb; --link: #8ab8ff; --mark: #ff9c93; } }
body { max-width: 42rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; background: var(--back); color: var(--front); overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 0.5rem; }
p { margin: 0.5rem 0; }
a { color: var(--link); }
a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
code { font: 0.9em/1.5 ui-monospace, monospace; }
.quiet { color: var(--quiet); }
.blocked h1 { border-left: 0.35rem solid var(--mark); padding-left: 0.8rem; }
`;

const hashSource = (text: string): string =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

export function pageHtml({ title, body, script, head = "" }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
${head}<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}
${script === undefined ? "" : `<script>${script}</script>\n`}</body>
</html>
`;
}

/** An answer with a page. The Content-Security-Policy allows only the page's own script and style. */
export function pageReply(route: string, status: number, page: Page): Reply {
  const { script } = page;
  const policy = [
    "default-src 'none'",
    `style-src ${hashSource(STYLE)}`,
    ...(script === undefined ? [] : [`script-src ${hashSource(script)}`]),
    // The empty icon, without which browsers would ask for /favicon.ico.
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  const head = '<link rel="icon" href="data:,">\n';
  return {
    route,
    status,
    body: Buffer.from(pageHtml({ ...page, head })),
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": policy.join("; "),
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
    },
  };
}
