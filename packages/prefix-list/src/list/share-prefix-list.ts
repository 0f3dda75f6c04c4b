import { checkLayout, type PrefixList } from "./prefix-list.ts";

function sharedBuffer(view: ArrayBufferView): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(view.byteLength);
  new Uint8Array(buffer).set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  return buffer;
}

/**
 * Returns the same list in shared memory. When you send the shared list to a worker, its prefixes are not copied.
 *
 * The given list does not change. Nothing in this package writes to a list, and your code should not either.
 *
 * @throws {PrefixListError} `layout-unsupported` when the list has another layout.
 * @throws {ReferenceError} where there is no `SharedArrayBuffer`, such as on pages that are not cross-origin isolated.
 * @throws {TypeError} when `list` is not a list.
 * @example
 * ```ts
 * import { prefixList, sharePrefixList } from "@x/prefix-list";
 *
 * const list = prefixList([Uint8Array.of(0xba, 0x78, 0x16, 0xbf)], { name: "malware", created: 0 });
 * const shared = sharePrefixList(list); // worker.postMessage(shared) copies no prefixes
 * shared.tables[0]?.buckets.buffer instanceof SharedArrayBuffer; // → true
 * ```
 */
export function sharePrefixList(list: PrefixList): PrefixList {
  checkLayout(list);
  return {
    ...list,
    tables: list.tables.map((table) => ({
      ...table,
      buckets: new Uint32Array(sharedBuffer(table.buckets)),
      halves: new Uint16Array(sharedBuffer(table.halves)),
      words: new Uint32Array(sharedBuffer(table.words)),
      rests: new Uint8Array(sharedBuffer(table.rests)),
    })),
  };
}
