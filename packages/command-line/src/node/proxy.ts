import type { Agent } from "node:http";
import { HttpProxyAgent } from "http-proxy-agent";
import { HttpsProxyAgent } from "https-proxy-agent";
import { getProxyForUrl } from "proxy-from-env";
import { Agent as DirectAgent, type Dispatcher, ProxyAgent, setGlobalDispatcher } from "undici";
import { Failure } from "../failure.ts";

/** The value of the variable that names the proxy for a scheme. Like other programs, it may leave out `http://`. */
function proxyVariable(scheme: string): string {
  const names = [`${scheme}_proxy`, "all_proxy"].flatMap((name) => [name, name.toUpperCase()]);
  const value = names.map((name) => process.env[name]).find((each) => each) ?? "";
  return value.includes("://") ? value : `http://${value}`;
}

/**
 * The proxy for requests to a URL, from the environment variables `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and
 * `NO_PROXY`, which may be in lower case; `null` when there is none. A message never repeats the variable, which may
 * contain a password.
 */
function proxyFor(url: URL): string | null {
  if (getProxyForUrl(url.href) === "") return null;
  const proxy = proxyVariable(url.protocol.slice(0, -1));
  if (URL.canParse(proxy) && /^https?:$/.test(new URL(proxy).protocol)) return proxy;
  throw new Failure(
    "HTTP_PROXY, HTTPS_PROXY and ALL_PROXY must be the URL of an HTTP proxy, such as http://proxy.example:3128",
  );
}

/**
 * Makes `fetch` use the proxies that the environment names, in this process and from now on.
 *
 * @throws {Failure} when a variable does not name an HTTP proxy.
 */
export function useProxies(): void {
  for (const scheme of ["http", "https"]) proxyFor(new URL(`${scheme}://proxied.invalid/`));
  const direct = new DirectAgent();
  const agents = new Map<string, ProxyAgent>();

  function dispatcherFor(url: URL): Dispatcher {
    const proxy = proxyFor(url);
    if (proxy === null) return direct;
    // Many proxies refuse tunnels to port 80. Requests to https URLs always go through a tunnel.
    const agent = agents.get(proxy) ?? new ProxyAgent({ uri: proxy, proxyTunnel: false });
    agents.set(proxy, agent);
    return agent;
  }

  const dispatcher: Pick<Dispatcher, "dispatch"> = {
    dispatch: (options, handler) =>
      dispatcherFor(new URL(options.origin!)).dispatch(options, handler),
  };
  setGlobalDispatcher(dispatcher as Dispatcher);
}

/**
 * The agent for a request of `node:http` or `node:https` to a URL; `null` when the environment names no proxy for it.
 * Proxies look up hosts themselves, so the `lookup` of the request is not called.
 *
 * @throws {Failure} when the variable does not name an HTTP proxy.
 */
export function proxyAgent(url: URL): Agent | null {
  const proxy = proxyFor(url);
  if (proxy === null) return null;
  return url.protocol === "https:" ? new HttpsProxyAgent(proxy) : new HttpProxyAgent(proxy);
}
