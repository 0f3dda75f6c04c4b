import type { Contents } from "@x/list-store";
import { type DifferenceSince, PREFIX_BYTES } from "@x/list-store/serving";
import type { AnyContents } from "../list-update.ts";
import type { ServedList } from "../lists/served-lists.ts";
import { loadedOf, unavailable } from "../lists/unavailable.ts";
import type { CodedUpdates } from "./coded-updates.ts";

/** The prefixes of a list, all of one length, as clients can get them. */
export interface OfferedPrefixes {
  readonly contents: AnyContents;
  /** The values that identify the contents in tokens. */
  readonly version: Pick<Contents, "since" | "checksum">;
  readonly differenceSince: DifferenceSince;
}

/** The prefixes of this length. Throws if there are none that may be served: the list must never look empty. */
export function offeredPrefixes(
  served: ServedList,
  prefixBytes: number,
  coded: Pick<CodedUpdates, "contentsOf">,
): OfferedPrefixes {
  const list = loadedOf(served);
  if (prefixBytes === PREFIX_BYTES) {
    const { differenceSince, entry } = list;
    return { contents: coded.contentsOf(list), version: entry.manifest.contents, differenceSince };
  }
  const longer = served.longer!.find((each) => each.prefixBytes === prefixBytes)!;
  if (longer.loaded === null) throw unavailable(longer);
  const { contents, since, differenceSince } = longer.loaded;
  return { contents, version: { since, checksum: contents.checksum }, differenceSince };
}
