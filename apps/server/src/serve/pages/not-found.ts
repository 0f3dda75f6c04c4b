import type { AnyReply, Reply } from "../http/reply.ts";
import type { PlainRequest } from "../http/request.ts";
import { API_ROUTE } from "../protocols/run-calls.ts";
import type { MaybePromise } from "../steps.ts";
import { pageReply } from "./html.ts";

const BODY = `<main>
<h1>There is no page here</h1>
<p>The address may be misspelled, or the page has moved.</p>
<ul>
<li><a href="/">The lists on this server</a></li>
<li><a href="/blocked">Why was a page blocked?</a></li>
</ul>
</main>`;

/** Whether the client accepts HTML, so a person will probably read the answer. */
export function wantsPage({ headers }: PlainRequest): boolean {
  return /\btext\/html\b/i.test(headers.get("accept") ?? "");
}

const asPage = (reply: AnyReply): AnyReply => {
  if (reply.status !== 404) return reply;
  const page: Reply = pageReply(API_ROUTE, 404, { title: "There is no page here", body: BODY });
  return { ...page, headers: { ...page.headers, Vary: "Accept" } };
};

/** The answer to a request without a route. A browser gets a page instead of an error in JSON. */
export function withPageForBrowsers(
  request: PlainRequest,
  reply: MaybePromise<AnyReply>,
): MaybePromise<AnyReply> {
  if (request.method !== "GET" || !wantsPage(request)) return reply;
  return reply instanceof Promise ? reply.then(asPage) : asPage(reply);
}
