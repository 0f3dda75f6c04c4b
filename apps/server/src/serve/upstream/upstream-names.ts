import type { ProtocolName } from "@x/client";
import { isListName, StoreError } from "@x/list-store";
import { findThreatList, type ThreatList } from "@x/wire";
import type { ThreatType } from "@x/wire/v4";
import type { ThreatType as WebRiskThreatType } from "@x/wire/web-risk";
import { checkServedName, threatRow } from "../lists/threat-rows.ts";

/** The row of the list that has this name in a protocol; `null` if the name is not a standard one. */
function rowOf(protocol: ProtocolName, list: string): ThreatList | null {
  switch (protocol) {
    case "v5":
      return findThreatList({ v5: list });
    case "v4":
      return findThreatList({ v4: list.split("/")[0] as ThreatType });
    case "web-risk":
      return findThreatList({ webRisk: list as WebRiskThreatType });
    case "store":
      return findThreatList({ name: list });
  }
}

/** The default name under which another server's list is served here. */
export function usualName(protocol: ProtocolName, list: string): string {
  const own = protocol === "v5" ? list.replace(/-4b$/, "") : list;
  return rowOf(protocol, list)?.name ?? own;
}

/** The names, in each protocol, of another server's list that is served here as `name`. */
export function upstreamRow(protocol: ProtocolName, list: string, name: string): ThreatList {
  return threatRow(name, rowOf(protocol, list)?.v5ThreatType ?? "MALWARE");
}

/**
 * Checks the names under which lists of other servers are served.
 *
 * @throws {StoreError} `invalid` if a name is not a valid list name, or if clients would confuse it with another name.
 */
export function checkUpstreamNames(names: readonly string[]): void {
  for (const [i, name] of names.entries()) {
    if (!isListName(name)) {
      throw new StoreError(
        "invalid",
        `${name} is not a name that a list can have here: give it another one`,
      );
    }
    if (names.indexOf(name) < i) {
      throw new StoreError(
        "invalid",
        `Two lists would be served as ${name}: give one another name`,
      );
    }
    checkServedName(name, names);
  }
}
