import type { Imitation } from "@x/links/look-alikes";
import { shortHost } from "./hosts.ts";

/** The piece of a host that makes it look like a well-known site. */
export interface ImitatingPiece {
  readonly start: number;
  readonly end: number;
  /** What the piece is, in a few words after it: `"a digit, not the letter l"`. */
  readonly label: string;
  /** How the host differs from the site, in one sentence. */
  readonly note: string;
}

/**
 * The piece of a host that imitates a site, in words.
 *
 * @param domain the registrable domain of the host.
 */
export function imitatingPiece(
  host: string,
  domain: string,
  { site, start, end, instead }: Imitation,
): ImitatingPiece {
  const piece = host.slice(start, end);
  if (instead === null) {
    const label = `only a name inside ${shortHost(domain)}`;
    return { start, end, label, note: `Disguised: ${piece} is ${label}.` };
  }
  // Below another domain, only one label looks like the site.
  const isInDomain = start >= host.length - domain.length;
  const similar = isInDomain ? domain : host.slice(0, host.indexOf(".", end)).split(".").at(-1)!;
  const note = `Disguised: ${shortHost(similar)} differs from ${site}.`;
  return { start, end, label: labelOf(piece, instead, site), note };
}

function labelOf(piece: string, instead: string, site: string): string {
  if (instead === "") return `added to ${site}`;
  if (/^\d$/.test(piece) && /^[a-z]$/.test(instead)) return `a digit, not the letter ${instead}`;
  if (instead.startsWith(piece)) return `with no ${instead.slice(piece.length)} after it`;
  return `instead of ${instead}`;
}
