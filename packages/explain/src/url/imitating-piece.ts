import { counted } from "../counted.ts";
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
 * The domain of the site in a host that imitates it or, if the host does not have it, what the domain of the host has
 * instead.
 *
 * @param text the host as it was typed.
 * @param domainStart the index at which its registrable domain starts.
 */
export function imitatingPiece(text: string, domainStart: number, site: string): ImitatingPiece {
  const host = text.toLowerCase();
  const domain = host.slice(domainStart);
  const named = `Disguised: ${shortHost(domain)}`;
  const whole = host.indexOf(site);
  if (whole >= 0) {
    const label = `only a name inside ${shortHost(domain)}`;
    const note = `Disguised: ${site} is ${label}.`;
    return { start: whole, end: whole + site.length, label, note };
  }
  const most = Math.min(domain.length, site.length);
  let start = 0;
  while (start < most && domain[start] === site[start]) start++;
  let same = 0;
  while (same < most - start && domain.at(-1 - same) === site.at(-1 - same)) same++;
  const end = domain.length - same;
  const differing = Math.max(end, site.length - same) - start;
  const count = differing === 1 ? "one character" : counted(differing, "character", "characters");
  // If a letter is missing, the letter before it is the piece.
  const from = Math.max(Math.min(start, end - 1), 0);
  const label = labelOf(domain.slice(from, end), site.slice(from, site.length - same), site);
  const note = `${named} differs from ${site} in ${count}.`;
  return { start: domainStart + from, end: domainStart + end, label, note };
}

function labelOf(piece: string, instead: string, site: string): string {
  if (instead === "") return `added to ${site}`;
  const digit = /^\d$/.test(piece) && /^[a-z]$/.test(instead) ? DIGITS[Number(piece)] : undefined;
  return digit === undefined
    ? `instead of “${instead}”`
    : `the digit ${digit}, not the letter ${instead}`;
}
