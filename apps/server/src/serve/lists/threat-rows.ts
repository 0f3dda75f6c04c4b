import { StoreError } from "@x/list-store";
import { PREFIX_BYTES } from "@x/list-store/serving";
import { findThreatList, type ThreatList } from "@x/wire";

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
