import type { Answering } from "../answering.ts";
import type { ServedList } from "../lists/served-lists.ts";
import { SOME_MATCHES } from "./limits.ts";
import { type AskedVerdict, lookUpInside } from "./look-up-inside.ts";
import type { LookUpParameters } from "./look-up-parameters.ts";
import { lookUpUrls } from "./look-up-urls.ts";

/**
 * Looks up URLs and, if the request asks for that, the URLs inside them. The verdicts name matches only up to
 * {@link SOME_MATCHES}.
 */
export function lookUpAsked(
  urls: readonly (string | Uint8Array)[],
  lists: readonly ServedList[],
  answering: Answering,
  parameters: LookUpParameters,
): Promise<AskedVerdict[]> {
  const lookUp = (all: readonly (string | Uint8Array)[]) =>
    lookUpUrls(all, { lists, answering, caller: parameters, limits: SOME_MATCHES });
  if (!parameters.unwrap) return lookUp(urls);
  return lookUpInside(urls, lookUp, () => answering.turns(parameters.network()));
}
