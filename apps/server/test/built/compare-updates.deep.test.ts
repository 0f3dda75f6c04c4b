import { expect, test } from "vitest";
import { combined, MEASUREMENTS } from "../../bench/updates/measure.js";

test("a hosts file, patches, a static store and v5 bring readers to the same list", async () => {
  const scenario = { size: 2000, share: 0.1, hours: 6, intervals: [1, 3, 6] };
  const measured = {
    plain: await MEASUREMENTS.plain(scenario),
    patches: await MEASUREMENTS.patches(scenario),
    store: await MEASUREMENTS.store(scenario),
  };
  // `combined` throws unless every reader ended at the newest list.
  const ways = combined(scenario, measured);
  for (const { totals } of Object.values(ways)) {
    expect(totals.map(({ hours, updates }) => [hours, updates])).toEqual([
      [1, 6],
      [3, 2],
      [6, 1],
    ]);
  }
  // No way can describe the changes in fewer bytes than the minimum.
  for (const [i, { bytes }] of ways.fewest.totals.entries()) {
    expect(bytes).toBeGreaterThan(0);
    expect(ways.static.totals[i]!.bytes).toBeGreaterThan(bytes);
    expect(ways.v5.totals[i]!.bytes).toBeGreaterThan(bytes);
  }
  // If a reader does not have the newest list, `combined` throws.
  const other = { ...(measured.plain as object), hosts: [["other.example"]] };
  expect(() => combined(scenario, { ...measured, plain: other })).toThrow("plain: other hosts");
});
