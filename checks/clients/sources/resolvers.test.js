import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { program } from "../server/support/required-programs.js";
import { differences } from "./compare.js";
import { bind, dnsmasq, unbound, unboundOptions } from "./resolvers.js";
import { sourcesIn, ZONE_HEAD } from "./sources.js";

const SEED = 20261128;
const VECTORS = new URL(
  "../../../packages/list-source/test/vectors/programs.json",
  import.meta.url,
);
const RESOLVERS = [
  { name: "dnsmasq", format: "hosts", run: (path) => dnsmasq(path, "hosts"), count: 150 },
  { name: "dnsmasq", format: "dnsmasq", run: (path) => dnsmasq(path, "dnsmasq"), count: 150 },
  { name: "unbound", format: "unbound", run: unboundOptions, count: 150 },
  { name: "named", format: "rpz", run: bind, zone: () => "rpz.", count: 200 },
  { name: "unbound", format: "rpz", run: unbound, zone: (i) => `rpz${i}.`, count: 200 },
];

describe("the entries of a source are the names that its program blocks", {
  timeout: 600_000,
}, () => {
  for (const { name, format, run, zone, count } of RESOLVERS) {
    const { path, skip } = program(name);
    test(`${format}, as ${name} reads it`, { skip }, async () => {
      const sources = sourcesIn(format, count, SEED);
      const found = await differences(sources, { format, program: run(path), zone });
      assert.deepEqual(found.differing, []);
      assert.ok(found.blockedNames > 300, `${found.blockedNames} names are blocked`);
      assert.ok(found.openNames > 300, `${found.openNames} names are not blocked`);
    });
  }
});

describe("the vectors of @x/list-source say what programs block", { timeout: 600_000 }, () => {
  const { cases } = JSON.parse(readFileSync(VECTORS, "utf8"));
  for (const { name, format, run, zone = () => "" } of RESOLVERS) {
    const { path, skip } = program(name);
    test(`${format}, as ${name} reads it`, { skip }, async () => {
      const own = cases.filter((each) => each.format === format && each.programs.includes(name));
      const head = format === "rpz" ? ["$ORIGIN rpz.", ...ZONE_HEAD] : [];
      const sources = own.map(({ input, blocks }, i) => ({
        text: [...head, ...input, ""].join("\n").replaceAll(/\brpz\.(?=\s)/g, zone(i)),
        names: Object.keys(blocks),
      }));
      const blocked = await run(path)(sources);
      for (const [i, { name: what, blocks }] of own.entries()) {
        const found = Object.keys(blocks).map((host) => [host, blocked[i].has(host)]);
        assert.deepEqual(Object.fromEntries(found), blocks, what);
      }
    });
  }
});
