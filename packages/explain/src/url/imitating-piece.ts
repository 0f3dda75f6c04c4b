import type { Imitation } from "@x/links/look-alikes";
import { shortHost } from "./hosts.ts";

/** The piece of a host that makes it look like a well-known site. */
export interface ImitatingPiece {
  readonly start: number;
  readonly end: number;
  /** What the piece is, in a few words after it: `"the digit one, not the letter l"`. */
  readonly label: string;
  /** How the host differs from the site, in one sentence. */
  readonly note: string;
}

const DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

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
    return {
      start,
      end,
      label,
      note: `Disguised: ${piece} is only a name inside ${shortHost(domain)}.`,
    };
  }
  const isMissing = instead.length > piece.length && instead.includes(piece);
  const differing = Math.max(piece.length, instead.length) - (isMissing ? piece.length : 0);
  const few = differing === 1 ? " in one character" : "";
  // Below another domain, only one label looks like the site.
  const isInDomain = start >= host.length - domain.length;
  const similar = isInDomain ? domain : host.slice(0, host.indexOf(".", end)).split(".").at(-1)!;
  const note = `Disguised: ${shortHost(similar)} differs from ${site}${few}.`;
  return { start, end, label: labelOf(piece, instead, site), note };
}

function labelOf(piece: string, instead: string, site: string): string {
  if (instead === "") return `added to ${site}`;
  const digit = /^\d$/.test(piece) && /^[a-z]$/.test(instead) ? DIGITS[Number(piece)] : undefined;
  if (digit !== undefined) return `the digit ${digit}, not the letter ${instead}`;
  if (piece.length < instead.length) {
    if (instead.startsWith(piece)) return `with no ${instead.slice(piece.length)} after it`;
    if (instead.endsWith(piece)) return `with no ${instead.slice(0, -piece.length)} before it`;
  }
  return `instead of ${instead}`;
}
