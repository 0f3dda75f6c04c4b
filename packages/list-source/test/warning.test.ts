import { quotesText, readListSource, type Warning } from "@x/list-source";
import { expect, test } from "vitest";

test("only warnings that say little without the text of the entry quote it", () => {
  const codes: Warning["code"][] = ["url-cut", "path-collapsed", "port-dropped"];
  expect(codes.filter(quotesText)).toEqual(["url-cut", "path-collapsed"]);
});

test("a table that may mean different things is held only up to a size", async () => {
  const rows = Array.from({ length: 2000 }, (_, i) => `http://h${i}.example/,${i % 2 ? "a" : "b"}`);
  const source = new TextEncoder().encode(`url,state\n${rows.join("\n")}\n`);
  await expect(
    readListSource([source], { column: "url", maxListBytes: 10_000, onEntry: () => {} }),
  ).rejects.toMatchObject({ code: "list-too-large" });
});
