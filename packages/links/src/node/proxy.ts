import { getProxyForUrl } from "proxy-from-env";
import { type Dispatcher, ProxyAgent } from "undici";

/**
 * The value of the variable that names the proxy for a scheme. As in other programs, the value may leave out `http://`.
 */
function proxyVariable(scheme: string): string {
  const names = [`${scheme}_proxy`, "all_proxy"].flatMap((name) => [name, name.toUpperCase()]);
  const value = names.map((name) => process.env[name]).find((each) => each) ?? "";
  return value.includes("://") ? value : `http://${value}`;
}

/**
 * The proxy for requests to a URL, from the environment variables `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and
 * `NO_PROXY`, which may be in lower case; `null` if there is none.
 *
 * @throws {RangeError} when a variable does not name an HTTP proxy. The message never repeats the variable, which may
 * contain a password.
 */
export function environmentProxy(url: URL): string | null {
  if (getProxyForUrl(url.href) === "") return null;
  const proxy = proxyVariable(url.protocol.slice(0, -1));
  if (URL.canParse(proxy) && /^https?:$/.test(new URL(proxy).protocol)) return proxy;
  throw new RangeError(
    "HTTP_PROXY, HTTPS_PROXY and ALL_PROXY must be the URL of an HTTP proxy, such as http://proxy.example:3128",
  );
}

/** A `Dispatcher` of undici. Its own type needs the types of Node.js, which programs may not have. */
type UndiciDispatcher = object;

interface ProxyingDispatcher {
  readonly dispatcher: UndiciDispatcher;
  /** Closes all connections to proxies. */
  destroy(): Promise<void>;
}

/**
 * Makes a dispatcher that sends requests through the proxies that the environment names. Requests without a proxy go to
 * `direct`.
 */
export function proxyingDispatcher(direct: UndiciDispatcher): ProxyingDispatcher {
  const agents = new Map<string, ProxyAgent>();

  function dispatcherFor(url: URL): Dispatcher {
    const proxy = environmentProxy(url);
    if (proxy === null) return direct as Dispatcher;
    // Many proxies refuse tunnels to port 80. Requests to https URLs always go through a tunnel.
    const agent = agents.get(proxy) ?? new ProxyAgent({ uri: proxy, proxyTunnel: false });
    agents.set(proxy, agent);
    return agent;
  }

  const dispatcher: Pick<Dispatcher, "dispatch"> = {
    dispatch: (options, handler) =>
      dispatcherFor(new URL(options.origin!)).dispatch(options, handler),
  };
  return {
    dispatcher,
    async destroy() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}
