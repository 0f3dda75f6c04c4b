import type { PrefixList } from "./prefix-list.ts";

function shared(octets: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(octets.byteLength));
  copy.set(octets);
  return copy;
}

/**
 * The same list in shared memory: sent to a worker, it is not copied.
 *
 * @throws {ReferenceError} where there is no `SharedArrayBuffer`: in a browser, on a page that is not
 * cross-origin isolated.
 */
export function sharePrefixList(list: PrefixList): PrefixList {
  return {
    ...list,
    tables: list.tables.map((table) => ({ ...table, octets: shared(table.octets) })),
  };
}
