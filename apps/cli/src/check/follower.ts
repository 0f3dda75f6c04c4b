import { printable } from "@x/explain/printable";
import { type CheckAnswer, type FollowedLink, type FollowFetch, followLink } from "@x/links/follow";
import { publicFetch } from "@x/links/node";
import { environmentProxy } from "@x/links/proxy";
import type { Context } from "../context.ts";

/** Follows a URL and calls `check` with each URL of the chain before that URL is requested. */
export type Follow = <Answer extends CheckAnswer>(
  url: string,
  check: (url: string) => Answer | Promise<Answer>,
) => Promise<FollowedLink<Answer>>;

/** Follows links and writes each URL to stderr before requesting it. */
export interface Follower {
  readonly follow: Follow;
  close(): Promise<void>;
}

/** Names the host of the proxy through which a URL is requested. Returns `""` if there is no proxy. */
function proxyText(url: string): string {
  const proxy = environmentProxy(new URL(url));
  return proxy === null ? "" : ` through the proxy ${new URL(proxy).host}`;
}

export function createFollower({ stderr, reach }: Pick<Context, "stderr" | "reach">): Follower {
  const { fetch, close } = publicFetch(reach);
  const announcing: FollowFetch = async (url, request) => {
    await stderr.write(`urlhash: requesting ${printable(url)}${printable(proxyText(url))}\n`);
    return fetch(url, request);
  };
  const options = { fetch: announcing, userAgent: "urlhash" };
  return { follow: (url, check) => followLink(url, { ...options, check }), close };
}
