import { findLinks } from "@x/links";
import { oddHtml } from "@x/test-support/odd-html";
import { sampleSize } from "@x/test-support/sample-size";
import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { expect, test } from "vitest";

const PAGE = "http://start.test/dir/page";
const REFERENCES = ["href", "src", "action", "formaction", "poster", "background"];

/** The references in the document that parse5's parser makes, with the names of their attributes. */
function referencesOf(html: string, scriptingEnabled: boolean): Set<string> {
  const found: string[] = [];
  let base: string | null = null;
  const visit = (node: Tree.Node): void => {
    if ("attrs" in node) {
      for (const { name, value } of node.attrs) {
        if (node.tagName === "base" && name === "href") base ??= value;
        else if (
          REFERENCES.includes(name) &&
          (value.trim() !== "" || isClicked(node.tagName, name))
        ) {
          found.push(value);
        }
      }
    }
    if ("childNodes" in node) for (const child of node.childNodes) visit(child);
  };
  visit(parse(html, { scriptingEnabled }));
  const against = new URL(base ?? "", PAGE).href;
  return new Set(
    found
      .filter((value) => URL.canParse(value, against))
      .map((value) => new URL(value, against).href),
  );
}

/** A click on an empty link opens the base, but other empty references lead nowhere. */
const isClicked = (tag: string, name: string) => name === "href" && (tag === "a" || tag === "area");

const same = (url: string) => (URL.canParse(url) ? new URL(url).href : url);

test("every reference of the parsed document is found, with and without scripts", () => {
  let references = 0;
  for (let seed = 0; seed < sampleSize(4000); seed++) {
    const html = oddHtml(seed);
    const found = new Set(findLinks(html, { as: "html", base: PAGE }).map(({ url }) => same(url)));
    for (const scriptingEnabled of [true, false]) {
      const expected = referencesOf(html, scriptingEnabled);
      references += expected.size;
      const missed = [...expected].filter((url) => !found.has(url));
      expect(missed, `seed ${seed}: ${html}`).toEqual([]);
    }
  }
  expect(references).toBeGreaterThan(sampleSize(4000));
});
