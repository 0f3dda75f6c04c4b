import { environmentProxy, proxyingDispatcher } from "@x/links/proxy";
import { HttpProxyAgent } from "http-proxy-agent";
import { HttpsProxyAgent } from "https-proxy-agent";
import { Agent as DirectAgent, type Dispatcher, setGlobalDispatcher } from "undici";
import { Failure } from "../failure.ts";

function proxyFor(url: URL): string | null {
  try {
    return environmentProxy(url);
  } catch (error) {
    throw new Failure((error as RangeError).message);
  }
}

/**
 * Makes `fetch` use the proxies that the environment names, from then on in the whole process.
 *
 * @throws {Failure} when a variable does not name an HTTP proxy.
 */
export function useProxies(): void {
  for (const scheme of ["http", "https"]) proxyFor(new URL(`${scheme}://proxied.invalid/`));
  setGlobalDispatcher(proxyingDispatcher(new DirectAgent()).dispatcher as Dispatcher);
}

/** An agent of `node:http`. The type of Node.js is not used, because programs may lack the types of Node.js. */
type HttpAgent = object;

/**
 * The agent for a request of `node:http` or `node:https` to a URL; `null` when the environment names no proxy for the
 * URL. Proxies look up hosts themselves, so the `lookup` of the request is not called.
 *
 * @throws {Failure} when the variable does not name an HTTP proxy.
 */
export function proxyAgent(url: URL): HttpAgent | null {
  const proxy = proxyFor(url);
  if (proxy === null) return null;
  return url.protocol === "https:" ? new HttpsProxyAgent(proxy) : new HttpProxyAgent(proxy);
}
