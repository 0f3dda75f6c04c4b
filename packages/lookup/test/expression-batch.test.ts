import { type CanonicalSpans, verifyCanonical } from "@x/canon/verify";
import { expressions } from "@x/expressions";
import { createHashBatch } from "@x/sha256-prefix/batch";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createExpressionBatch } from "../src/expression-batch.ts";

const decoder = new TextDecoder();

// Few hosts and folders, so that many URLs begin like an earlier one.
const host = fc.constantFrom(
  "b",
  "a.b",
  "b.a",
  "a.a.b",
  "www.a.b",
  "a.b.c.d.e",
  "a.b.c.d.e.f.g",
  "b.b.c.d.e",
);
const folders = fc.array(fc.constantFrom("x", "y", "xx"), { maxLength: 5 });
const url = fc
  .tuple(host, folders, fc.constantFrom("", "/", "?q", "?", "/?x/y", "#f"))
  .map(([name, path, rest]) => `http://${name}/${path.join("/")}${rest}`);

test("slices that are shared or not are the expressions of each URL", () => {
  const seen = { shared: 0, alone: 0, clears: 0 };
  const hashing = createHashBatch({ bytes: 1 << 17, slices: 1 << 10 });
  const batch = createExpressionBatch(hashing, {});
  const { bytes } = hashing;
  const spans: CanonicalSpans = { hostType: "domain", host: 0, path: 0, query: 0, end: 0 };
  let used = 0;
  fc.assert(
    fc.property(url, (text) => {
      if (!batch.hasRoomFor(1) || bytes.length - used < text.length) {
        batch.clear();
        used = 0;
        seen.clears++;
      }
      const start = used;
      used += new TextEncoder().encodeInto(text, bytes.subarray(start)).written;
      if (!verifyCanonical(bytes, start, used, spans)) return;
      const [count, sliceCount] = [batch.count(), batch.sliceCount()];
      batch.add(spans);
      const found: string[] = [];
      for (let i = count; i < batch.count(); i++) {
        const slice = batch.slices[i]!;
        expect(slice).toBeLessThan(batch.sliceCount());
        const { starts, ends } = hashing;
        found.push(decoder.decode(bytes.subarray(starts[slice], ends[slice])));
        seen[slice < sliceCount ? "shared" : "alone"]++;
      }
      expect(found).toEqual(expressions(text));
    }),
    { seed: 20261122, numRuns: 5000 },
  );
  expect(Math.min(seen.shared, seen.alone), JSON.stringify(seen)).toBeGreaterThan(5000);
  expect(seen.clears).toBeGreaterThan(3);
});
