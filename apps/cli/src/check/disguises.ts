import { readUrl } from "@x/canon/readings";
import { type Disguise, disguisesOf } from "@x/explain";
import type { FollowedLink } from "@x/links/follow";
import { type Imitations, imitations } from "@x/links/look-alikes";
import { registrableDomain } from "../registrable-domain.ts";

/** Finds hosts that imitate well-known sites. */
export const IMITATIONS: Imitations = imitations({ registrableDomain });

/** The disguises of a URL, also imitations of well-known sites. */
export function disguisesIn(
  url: string | Uint8Array,
  readings: Parameters<typeof disguisesOf>[1],
): readonly Disguise[] {
  return disguisesOf(url, readings, IMITATIONS);
}

/** A disguise of a URL, or of one that it leads to. */
export interface FoundDisguise extends Disguise {
  /** The URL that is disguised; not set if it is the given one. */
  readonly url?: string;
}

/** The disguises of a URL and of the URLs that it leads to, without repetitions. */
export function disguisesAlong(
  own: readonly Disguise[],
  followed: FollowedLink | undefined,
): readonly FoundDisguise[] {
  const all = new Map<string, FoundDisguise>(own.map((each) => [each.message, each]));
  for (const { url } of followed?.hops.slice(1) ?? []) {
    for (const each of url === null ? [] : disguisesIn(url, readUrl(url))) {
      if (!all.has(each.message)) all.set(each.message, { ...each, url: url! });
    }
  }
  return [...all.values()];
}

/** Describes each disguise on one line. */
export function disguiseLines(disguises: readonly FoundDisguise[]): string[] {
  return disguises.map(({ url, message }) => (url === undefined ? message : `${url}: ${message}`));
}
