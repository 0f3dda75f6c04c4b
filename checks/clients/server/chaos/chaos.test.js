import assert from "node:assert/strict";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { cephGateway, cephPrograms } from "../support/ceph.js";
import { chaos } from "./chaos.js";

/* The number of runs and the first seed. `npm run chaos` makes a hundred runs. */
const [TIMES, FIRST] = [Number(process.env.CHAOS_TIMES ?? 2), Number(process.env.CHAOS_FIRST ?? 1)];

const ceph = cephPrograms();

describe("a bucket in bad times", { skip: ceph.skip }, () => {
  let gateway;
  before(async () => {
    gateway = await cephGateway(ceph.paths);
  });
  after(() => gateway?.stop());

  for (let seed = FIRST; seed < FIRST + TIMES; seed++) {
    test(`everybody ends at the newest version (seed ${seed})`, { timeout: 600_000 }, async (t) => {
      const counts = await chaos({ gateway, seed });
      t.diagnostic(JSON.stringify(counts));
      assert.ok(counts.versions >= 2);
      assert.ok(Object.keys(counts.faults).length >= 4);
    });
  }
});
