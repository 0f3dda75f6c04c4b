import { findLinks } from "@x/links";
import { expectLinearGrowth } from "@x/test-support/linear-time";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";

const inSheet = (css: string) =>
  findLinks(`<style>${css}</style>`, { as: "html", base: "http://doc.example/" });
const urls = (css: string) => inSheet(css).map(({ url }) => url);
const GOOD = "http://good.example/";
const EVIL = "http://evil.example/";

test.each([
  ["an escaped name", `i{background:url(${GOOD})} b{background:u\\72l(${EVIL})}`],
  ["an escaped import", `@import url(${GOOD});@imp\\6frt "${EVIL}"`],
  ["an escaped set", `a{background:url(${GOOD}),im\\61ge-\\set("${EVIL}" 1x)}`],
  ["an escaped backslash", `i{a:url("${GOOD}\\\\");} i{background:url("${EVIL}")}`],
  ["a string that ends with its line", `i{a:url("${GOOD}\n} i{background:url("${EVIL}")}`],
  ["a string that the sheet ends", `i{a:url(${GOOD})} @import "${EVIL}`],
])("all references of a style sheet are found: %s", (_name, css) => {
  const found = urls(css);
  expect(found).toHaveLength(2);
  expect(found[1]).toBe(EVIL);
  const attribute = findLinks(`<p style='${css}'>`, { as: "html" });
  expect(attribute.at(-1)?.url).toBe(EVIL);
});

/** A name with some characters escaped. */
const name = (text: string) =>
  fc
    .tuple(...[...text].map((character) => fc.constantFrom(...spellings(character))))
    .map((characters) => characters.join(""));

function spellings(character: string): string[] {
  const code = character.charCodeAt(0).toString(16);
  const upper = character.toUpperCase().charCodeAt(0).toString(16);
  const isDigit = /[a-f]/.test(character);
  return [
    ...[character, character, character.toUpperCase(), `\\${code} `, `\\${upper}\n`],
    ...[`\\${code.padStart(6, "0")}`, ...(isDigit ? [] : [`\\${character}`])],
  ];
}

const rule = fc.oneof(
  ...["url", "src", "image"].map((text) =>
    fc
      .tuple(name(text), fc.constantFrom("#", "'#'", ' "#" ', "'\\\\\\'#'", "'#\\\n'"))
      .map(([written, value]) => `a{b:${written}(${value})}`),
  ),
  name("import").map((written) => `@${written} "#";`),
  name("image-set").map((written) => `a{b:${written}("#" 1x, '#' 2x)}`),
);
const nothing = fc.oneof(
  ...["url", "import"].map((text) => name(text).map((written) => `a{b:x${written} "${GOOD}"}`)),
  name("namespace").map((written) => `@${written} "${GOOD}";`),
  fc.constantFrom("a{b:'\\\\'}", 'a{b:"\\""}', "a{\\}", "/* ' */", "a{b:c}"),
);

test("the references of style sheets with escapes", () => {
  let escaped = 0;
  fc.assert(
    fc.property(fc.array(fc.oneof(rule, nothing), { maxLength: 6 }), (rules) => {
      let count = 0;
      const css = rules.join(" ").replaceAll("#", () => `${EVIL}${count++}`);
      const links = inSheet(css);
      const numbers = links.map(({ url }) => Number(url.slice(url.lastIndexOf("/") + 1)));
      expect(numbers, css).toEqual(Array.from({ length: count }, (_, i) => i));
      for (const { start, end, text } of links) {
        expect(`<style>${css}`.slice(start, end)).toBe(text);
      }
      if (css.includes("\\") && count > 1) escaped++;
    }),
    { seed: 20261128, numRuns: sampleSize(3000) },
  );
  expect(escaped).toBeGreaterThan(0);
});

test.each([
  ["{}url", (padding: string) => `${padding}a{b:url( "${EVIL}" )}`],
  ["import", (padding: string) => `${padding};@import  "${EVIL}";`],
  ["set", (padding: string) => `${padding};a{b:image-set("${GOOD}" 1x, "${EVIL}" 2x)}`],
  ["signs", (padding: string) => `${padding}/*'*/a{b:url( "${EVIL}?;';}" )}`],
  ["escaped", (padding: string) => `${padding};a{b:u\\72 l( ${EVIL}?;} )}`],
])("a long style sheet is not cut inside a reference: %s", { tags: "deep" }, (_name, make) => {
  for (const unit of ["x ", "x", "\n", "a{b:c}"]) {
    for (let length = 65_536 - 100; length < 65_536 + 10; length += 3) {
      const css = make(unit.repeat(length / unit.length));
      const found = urls(css);
      expect(found.at(-1), `${unit} ${length}`).toMatch(EVIL);
      expect(found.filter((url) => url.startsWith(EVIL))).toHaveLength(1);
    }
  }
});

test("linear time for a style sheet that does not end", { tags: "deep" }, () => {
  for (const piece of ["x", "url(", "'", "/*", "a{b:c}", "(;", "\\"]) {
    expectLinearGrowth(
      (text: string) => findLinks(text, { as: "html" }),
      (length) => `<style>${piece.repeat(Math.ceil(length / piece.length))}`,
      200_000,
    );
  }
});
