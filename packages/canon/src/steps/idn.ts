import { isAscii } from "../ascii.ts";
import { decodeUtf8 } from "../utf8.ts";
import { collapseDots, trimDots } from "./host.ts";
import { FORBIDDEN_IN_DOMAIN, mapHost } from "./uts46.ts";

/**
 * Converts an internationalized domain name to ASCII by UTS #46. A host that is not UTF-8, that UTS #46 refuses or cannot
 * decide, or whose mapping would contain a delimiter keeps its bytes. `onUndecided` is called for a host that it cannot
 * decide.
 */
export function idnToAscii(host: string, onUndecided?: () => void): string {
  if (isAscii(host)) return host;
  // IDNA refuses the dots that the next steps remove, even if it accepts the canonical form.
  const name = decodeUtf8(collapseDots(trimDots(host)));
  if (name === null) return host;
  const { ascii, problem } = mapHost(name);
  if (problem === "undecided") onUndecided?.();
  return ascii === null || FORBIDDEN_IN_DOMAIN.test(ascii) ? host : ascii;
}
