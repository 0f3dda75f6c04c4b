import type { CanonicalUrl } from "@x/canon";

/** Whether an entry covers a whole top-level domain, such as `com`; `false` without `isPublicSuffix`. */
export function isTopLevelDomain(
  { host, hostType, path, query }: CanonicalUrl,
  isPublicSuffix: ((host: string) => boolean) | undefined,
): boolean {
  const isOneLabel = !host.includes(".") && path === "/" && query === null && hostType === "domain";
  return isOneLabel && isPublicSuffix?.(host) === true;
}
