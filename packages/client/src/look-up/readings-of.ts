import type { CanonicalUrl } from "@x/canon";
import type { UrlReadings } from "@x/canon/readings";
import type { Reading } from "@x/lookup";

/** The canonical URLs of a text, one for each distinct reading. */
export function readingsOf({
  specification,
  browser,
  firefox,
}: UrlReadings): [CanonicalUrl, Reading][] {
  const readings: [CanonicalUrl | null, Reading][] =
    specification === browser
      ? [[specification, "both"]]
      : [
          [specification, "specification"],
          [browser, "browser"],
        ];
  readings.push([firefox, "browser"]);
  return readings.filter((each): each is [CanonicalUrl, Reading] => each[0] !== null);
}
