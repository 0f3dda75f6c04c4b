import { isAscii } from "../ascii.ts";
import { decodeUtf8 } from "../utf8.ts";
import { collapseDots, trimDots } from "./host.ts";
import type { UrlParts } from "./url-parts.ts";
import { FORBIDDEN_IN_DOMAIN, mapHost } from "./uts46.ts";

/**
 * Converts an internationalized domain name to ASCII by UTS #46. A host that is not UTF-8, that UTS #46 refuses or cannot
 * decide, or whose mapping would contain a delimiter keeps its bytes.
 */
export function convertIdn(parts: UrlParts): void {
  const { host } = parts;
  if (isAscii(host)) return;
  // IDNA refuses the dots that the next steps remove, even if it accepts the canonical form.
  const name = decodeUtf8(collapseDots(trimDots(host)));
  if (name === null) return;
  const { ascii, problem } = mapHost(name);
  parts.isHostUndecided = problem === "undecided";
  if (ascii !== null && !FORBIDDEN_IN_DOMAIN.test(ascii)) parts.host = ascii;
}
