import { findLinks, findLinksInStream, linePlaces } from "@x/links";
import { findLinksInMail } from "@x/links/mail";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";

/** The line and column of an index, counted in the whole text. */
function countedPlace(text: string, index: number) {
  const before = text.slice(0, index).split("\n");
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

test("lines and columns, whole and in pieces", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r\n", "é", "😀") });
  fc.assert(
    fc.property(fc.array(text), fc.nat(), (pieces, at) => {
      const all = pieces.join("");
      const index = at % (all.length + 1);
      const lines = linePlaces();
      for (const piece of pieces) lines.add(piece);
      expect(lines.placeOf(index)).toEqual(countedPlace(all, index));
      expect(linePlaces(all).placeOf(index)).toEqual(countedPlace(all, index));
    }),
    { seed: 47, numRuns: sampleSize(500) },
  );
});

test("links of a long text", { tags: "deep" }, async () => {
  const line = `${"\n".repeat(9)}see a.example/b and more\n`;
  const text = line.repeat(200_000);
  const lines = linePlaces();
  async function* pieces() {
    for (let at = 0; at < text.length; at += 100_000) {
      const piece = text.slice(at, at + 100_000);
      lines.add(piece);
      yield piece;
    }
  }
  let count = 0;
  for await (const { start } of findLinksInStream(pieces())) {
    const expected = { line: 10 * count + 10, column: 5 };
    if (count % 1000 === 0) expect(lines.placeOf(start)).toEqual(expected);
    count++;
  }
  expect(count).toBe(200_000);
});

test("links of an email have the line and column in their part", async () => {
  const html = "<p>\n<a href='http://a.example/'>x</a>";
  const { links } = await findLinksInMail(`Content-Type: text/html\r\n\r\n${html}`);
  expect(links.map(({ line, column }) => [line, column])).toEqual([
    [2, findLinks(html, { as: "html" })[0]!.start - html.indexOf("<a") + 1],
  ]);
});
