import { topLevelDomains } from "@x/canon/top-level-domains";
import { getDomain, parse } from "tldts";

const OPTIONS = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };

/** Whether a canonical host ends in a top-level domain that exists, or in a label for special use. */
export const hasTopLevelDomain: (host: string) => boolean = topLevelDomains((host) => {
  const { publicSuffix, isIcann } = parse(host, OPTIONS);
  return publicSuffix === host && isIcann === true;
});

/** The part of a canonical host that somebody has registered, or the host itself. */
export function registrable(host: string): string {
  return getDomain(host, OPTIONS) ?? host;
}
