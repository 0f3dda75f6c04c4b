import type { CanonicalUrl } from "@x/canon";
import type { UrlReadings } from "@x/canon/readings";
import type { Reading } from "@x/lookup";

/** The URLs that stand for a text: one for each reading. */
export function readingsOf({ specification, browser }: UrlReadings): [CanonicalUrl, Reading][] {
  if (specification === browser) return specification === null ? [] : [[specification, "both"]];
  const readings: [CanonicalUrl | null, Reading][] = [
    [specification, "specification"],
    [browser, "browser"],
  ];
  return readings.filter((each): each is [CanonicalUrl, Reading] => each[0] !== null);
}
