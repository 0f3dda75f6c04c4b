// A shortener in a Cloudflare Worker. The shortener refuses listed URLs, and checks a URL again before each redirect,
// because the URL may be listed later. SERVER and KEY are variables of the Worker, and LINKS is a KV namespace.
import { createLookup } from "@x/client";
import { unwrapLink } from "@x/links/unwrap";

let lookup;

export default {
  async fetch(request, { SERVER, KEY, LINKS }) {
    lookup ??= createLookup({ server: SERVER, key: KEY });
    const { pathname } = new URL(request.url);
    if (request.method === "POST") {
      const target = (await request.text()).trim();
      const refusal = await refusalOf(target);
      if (refusal !== null) return refusal;
      const code = crypto.randomUUID().slice(0, 8);
      await LINKS.put(code, target);
      return new Response(`${new URL(request.url).origin}/${code}\n`, { status: 201 });
    }
    const target = await LINKS.get(pathname.slice(1));
    if (target === null) return new Response("There is no such link.\n", { status: 404 });
    return (await refusalOf(target)) ?? Response.redirect(target, 302);
  },
};

/** Why a link is not served; `null` if it is. A URL that could not be checked is neither shortened nor opened. */
async function refusalOf(target) {
  if (!/^https?:\/\//i.test(target)) return new Response("Send an http URL.\n", { status: 400 });
  const { verdict, reason } = await lookup.check(target, { unwrap: unwrapLink });
  if (verdict === "safe") return null;
  if (verdict === "unsafe") return new Response("This URL is on a blocklist.\n", { status: 403 });
  return /^(?:url|unwrap)-/.test(reason)
    ? new Response("This URL is not accepted.\n", { status: 400 })
    : new Response("The URL could not be checked. Try again.\n", { status: 503 });
}
