import { isSameServer } from "@x/list-store/transport";
import { FetchProblem } from "./fetch-problem.ts";
import type { Reach } from "./reach.ts";
import { shownUrl } from "./source-url.ts";

/** How many characters of a redirect target are shown in messages. */
const MAX_SHOWN = 200;

/** Throws unless the redirect is allowed. `named` is the URL of the source, and `from` the URL that redirects. */
export function checkRedirect(named: URL, from: URL, to: URL, { redirectsTo }: Reach): void {
  const shown = shownUrl(to).slice(0, MAX_SHOWN);
  const refuse = (why: string) => new FetchProblem(`redirects to ${shown}, ${why}`);
  if (to.protocol !== "http:" && to.protocol !== "https:") {
    throw new FetchProblem(`redirects to ${JSON.stringify(to.protocol)}, which is not fetched`);
  }
  if (from.protocol === "https:" && to.protocol === "http:") {
    throw refuse("which is not encrypted");
  }
  if (isSameServer(named, to) || redirectsTo.has(to.hostname)) return;
  const what = named.hostname === to.hostname ? "another port" : "another host";
  throw refuse(`${what}; if that is right, use --allow-redirects-to ${to.hostname}`);
}
