import type { ProtocolName } from "@x/client";
import { isListName, StoreError } from "@x/list-store";
import { PREFIX_BYTES } from "@x/list-store/serving";
import { findThreatList, type ThreatList } from "@x/wire";
import type { ThreatType } from "@x/wire/v4";
import type { ThreatType as WebRiskThreatType } from "@x/wire/web-risk";

const LENGTH_SUFFIX = `-${PREFIX_BYTES}b`;

/**
 * The names of a list in each protocol: the row of its threat type or, for a name that the publisher chose, a row with
 * a v5 name only. v5 clients skip hashes without a known threat type, so a list with a chosen name gets `v5ThreatType`.
 */
export function threatRow(
  name: string,
  v5ThreatType: ThreatList["v5ThreatType"] = "MALWARE",
): ThreatList {
  return (
    findThreatList({ name }) ?? {
      name,
      v5: name.endsWith(LENGTH_SUFFIX) ? name : name + LENGTH_SUFFIX,
      v5ThreatType,
      v5LikelySafeType: null,
      v4: [],
      webRisk: null,
    }
  );
}

/**
 * The name in v5 of a list with prefixes of this many bytes, such as `mw-8b`; `null` if there is none. The result is
 * never a standard name of another list.
 */
export function v5NameOf({ v5 }: ThreatList, prefixBytes: number): string | null {
  if (prefixBytes === PREFIX_BYTES) return v5;
  if (!v5?.endsWith(LENGTH_SUFFIX)) return null;
  const name = `${v5.slice(0, -LENGTH_SUFFIX.length)}-${prefixBytes}b`;
  return findThreatList({ v5: name }) === null ? name : null;
}

/** Whether a list contains safe sites, which nobody should block. */
export function isListOfSafeSites({ v5LikelySafeType, v4 }: ThreatList): boolean {
  return v5LikelySafeType !== null || v4.some((type) => type.endsWith("_ALLOWLIST"));
}

/** Throws if clients would confuse a list with a standard list or one of `others`, or could not use it. */
export function checkServedName(name: string, others: Iterable<string>): void {
  const { v5 } = threatRow(name);
  if (findThreatList({ name }) !== null) {
    if (v5 === null || v5.endsWith(LENGTH_SUFFIX)) return;
    throw new StoreError(
      "invalid",
      `Clients expect hashes of another length on ${name} (${v5}): only hash prefixes of ${PREFIX_BYTES} bytes can be served`,
    );
  }
  const standard = findThreatList({ v5: v5! });
  if (standard !== null) {
    throw new StoreError(
      "invalid",
      `${name} would be served as ${v5}, which is the standard list ${standard.name}: publish it as ${standard.name}`,
    );
  }
  for (const other of others) {
    if (other === name || threatRow(other).v5 !== v5) continue;
    throw new StoreError(
      "invalid",
      `${name} would be served as ${v5}, as the list ${other} is: use another name`,
    );
  }
}

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
