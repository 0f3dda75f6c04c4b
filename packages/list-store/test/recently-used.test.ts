import { expect, test } from "vitest";
import { recentlyUsed } from "../src/differences.ts";

test("what was used longest ago makes room, but never what was set last", () => {
  const map = recentlyUsed<string, string>(5, ({ length }) => length);
  const kept = () => ["a", "b", "c"].filter((key) => map.get(key) !== undefined);
  map.set("a", "12");
  map.set("b", "34");
  map.get("a");
  map.set("c", "56");
  expect(kept()).toEqual(["a", "c"]);
  map.set("a", "1");
  map.set("b", "23");
  expect(kept()).toEqual(["a", "b", "c"]);
  map.set("b", "longer than all");
  expect(kept()).toEqual(["b"]);
});
