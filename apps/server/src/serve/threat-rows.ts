import { findThreatList, type ThreatList } from "@x/wire";
import { PREFIX_BYTES } from "../store/prefix-words.ts";

const LENGTH_SUFFIX = `-${PREFIX_BYTES}b`;

/**
 * What a list is called in each protocol: the row of its threat type, or, for a name of the publisher's own, a row
 * that only v5 has. Clients of v5 skip hashes without a threat type that they know, and so such lists get one.
 */
export function threatRow(name: string): ThreatList {
  return (
    findThreatList({ name }) ?? {
      name,
      v5: name.endsWith(LENGTH_SUFFIX) ? name : name + LENGTH_SUFFIX,
      v5ThreatType: "MALWARE",
      v5LikelySafeType: null,
      v4: [],
      webRisk: null,
    }
  );
}
