import { isAscii } from "../ascii.ts";
import { decodeUtf8 } from "../utf8.ts";
import { collapseDots, trimDots } from "./host.ts";
import type { UrlParts } from "./url-parts.ts";
import { FORBIDDEN_IN_DOMAIN, mapHost } from "./uts46.ts";

/**
 * Converts an internationalized domain name to ASCII by UTS #46. A host keeps its bytes if it is not UTF-8, if UTS #46
 * refuses it or cannot decide it, or if its mapping would contain a delimiter.
 */
export function convertIdn(parts: UrlParts): void {
  const { host } = parts;
  if (isAscii(host)) return;
  // IDNA refuses the extra dots that the next steps remove, although it may accept the canonical form.
  const name = decodeUtf8(collapseDots(trimDots(host)));
  if (name === null) return;
  const { ascii, problem } = mapHost(name);
  parts.isHostUndecided = problem === "undecided";
  if (ascii !== null && !FORBIDDEN_IN_DOMAIN.test(ascii)) parts.host = ascii;
}
