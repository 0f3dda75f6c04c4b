import type { CanonicalUrl } from "@x/canon";
import { parseDecidedUrl } from "@x/canon/readings";
import { typeError } from "@x/canon/type-error";

/** Parses text or bytes; returns a `CanonicalUrl` unchanged. */
export function toCanonicalUrl(url: string | Uint8Array | CanonicalUrl): CanonicalUrl {
  // Not `instanceof`, which is false for a `Uint8Array` of another realm.
  if (typeof url === "string" || ArrayBuffer.isView(url)) return parseDecidedUrl(url);
  if (!isCanonicalUrl(url)) throw typeError("url", "a string, a Uint8Array or a CanonicalUrl", url);
  return url;
}

const HOST_TYPES: readonly unknown[] = ["domain", "ipv4", "ipv6"];

/**
 * Whether a value has the parts that `parseUrl` returns; the platform's `URL` does not. Only their types are
 * checked.
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
