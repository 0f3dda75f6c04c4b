import { prefixList } from "@x/prefix-list";
import { hourlyVersions } from "./hosts.js";
import { measureStore, prefixesOf } from "./store.js";
import { measurePatches, measurePlainFile } from "./text-files.js";

/** The measurements of the ways to bring a list to its readers. Two of the ways share one measurement. */
export const MEASUREMENTS = {
  plain: measurePlainFile,
  patches: measurePatches,
  store: measureStore,
};

function checksumOf(hosts) {
  return prefixList(prefixesOf(hosts), { name: "hosts", created: 0, prefixBytes: 4 }).checksum;
}

/**
 * @param {object} measured
 * @param {readonly { hours: number; bytes: number; requests: number; updates: number }[]} measured.totals
 * @param {{ bytes: number; requests: number }} measured.idle The download when nothing is new.
 * @param {number} measured.whole The bytes that a new reader downloads.
 */
const downloadsIn = ({ totals, idle, whole }) => ({ totals, idle, whole });

/**
 * Groups the measurements by way, after checking that every reader of every way ended at the newest list.
 *
 * @throws {Error} if a reader did not.
 */
export function combined(scenario, { plain, patches, store }) {
  let newest = [];
  for (const hosts of hourlyVersions(scenario)) newest = hosts;
  const text = newest.join();
  const checksum = checksumOf(newest);
  for (const [name, { hosts }] of Object.entries({ plain, patches })) {
    if (hosts.some((each) => each.join() !== text)) throw new Error(`${name}: other hosts`);
  }
  for (const [name, { checksums }] of Object.entries({ static: store.static, v5: store.v5 })) {
    if (checksums.some((each) => each !== checksum)) throw new Error(`${name}: other prefixes`);
  }
  return {
    plain: downloadsIn(plain),
    patches: downloadsIn(patches),
    static: downloadsIn(store.static),
    v5: downloadsIn(store.v5),
    fewest: downloadsIn(store.fewest),
  };
}
