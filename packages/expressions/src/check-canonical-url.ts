import type { CanonicalUrl } from "@x/canon";
import { typeError } from "./type-error.ts";

const HOST_TYPES: readonly unknown[] = ["domain", "ipv4", "ipv6"];

/**
 * Throws when `url` is not a record of parts as `parseUrl` gives it, such as a `URL` of the platform; `expected`
 * says what is. That the parts are canonical is believed.
 */
export function checkCanonicalUrl(url: unknown, expected: string): asserts url is CanonicalUrl {
  if (typeof url !== "object" || url === null) throw typeError("url", expected, url);
  const { host, hostType, path, query }: { [part in keyof CanonicalUrl]?: unknown } = url;
  const isOne =
    typeof host === "string" &&
    HOST_TYPES.includes(hostType) &&
    typeof path === "string" &&
    (query === null || typeof query === "string");
  if (!isOne) throw typeError("url", expected, url);
}
