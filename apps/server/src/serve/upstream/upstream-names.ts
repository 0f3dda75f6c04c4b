import type { ProtocolName } from "@x/client";
import { isListName, StoreError } from "@x/list-store";
import { findThreatList, type ThreatList } from "@x/wire";
import type { ThreatType } from "@x/wire/v4";
import type { ThreatType as WebRiskThreatType } from "@x/wire/web-risk";
import { checkServedName, threatRow } from "../lists/threat-rows.ts";

/** The row of a list by its name in a protocol; `null` when it is a name of the other server's own. */
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

/** The name that a list of another server has here, unless it is given another one. */
export function usualName(protocol: ProtocolName, list: string): string {
  const own = protocol === "v5" ? list.replace(/-4b$/, "") : list;
  return rowOf(protocol, list)?.name ?? own;
}

/** The names of a list of another server in each protocol, under the name that it has here. */
export function upstreamRow(protocol: ProtocolName, list: string, name: string): ThreatList {
  return threatRow(name, rowOf(protocol, list)?.v5ThreatType ?? "MALWARE");
}

/**
 * Checks the names under which lists of other servers are served.
 *
 * @throws {StoreError} `invalid` when a name is not one that a list can have, or clients would confuse it with another.
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
