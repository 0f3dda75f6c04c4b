import type { CanonicalUrl } from "@x/canon";
import { parseDecidedUrl } from "@x/canon/readings";
import { typeError } from "@x/canon/type-error";

/** Parses text or bytes, and returns a `CanonicalUrl` unchanged. */
export function toCanonicalUrl(url: string | Uint8Array | CanonicalUrl): CanonicalUrl {
  // `instanceof` is not used, because it is false for a `Uint8Array` of another realm.
  if (typeof url === "string" || ArrayBuffer.isView(url)) return parseDecidedUrl(url);
  if (!isCanonicalUrl(url)) throw typeError("url", "a string, a Uint8Array or a CanonicalUrl", url);
  return url;
}

const HOST_TYPES: readonly unknown[] = ["domain", "ipv4", "ipv6"];

/**
 * Whether a value has the parts that `parseUrl` returns, which the platform's `URL` lacks. Only the types of the parts
 * are checked.
 */
function isCanonicalUrl(value: unknown): value is CanonicalUrl {
  if (typeof value !== "object" || value === null) return false;
  const { host, hostType, path, query }: { [part in keyof CanonicalUrl]?: unknown } = value;
  return (
    typeof host === "string" &&
    HOST_TYPES.includes(hostType) &&
    typeof path === "string" &&
    (query === null || typeof query === "string")
  );
}
