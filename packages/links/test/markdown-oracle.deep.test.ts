import { findLinks } from "@x/links";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { micromark } from "micromark";
import { expect, test } from "vitest";

const BASE = "http://doc.example/";
const SYNTAX =
  "[a](http://b.com) [a](/c) [a] [ ] ( ) ]( ![ > < * ** _ __ *a_ ` `` [a]:/d\n [a]:http://e.com\n \\ - \t \n \n\n # ~~~\n & &amp; <http://f.com> ](< > ]: \u4e2d a".split(
    " ",
  );

/** The destinations of the links and images in a document, as micromark writes them in HTML. */
const destinations = (markdown: string): string[] =>
  Array.from(micromark(markdown).matchAll(/ (?:href|src)="([^"]*)"/g), ([, value]) =>
    value!.replaceAll("&amp;", "&").replaceAll("&quot;", '"'),
  );

/** micromark encodes brackets in paths, which browsers leave as they are. */
const same = (url: URL): string => url.href.replace(/%5[BD]/g, decodeURIComponent);

test("every link of a page that micromark makes is found", () => {
  let count = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...SYNTAX), { maxLength: 20 }), (pieces) => {
      const markdown = pieces.join("");
      const found = new Set(
        findLinks(markdown, { as: "markdown", base: BASE })
          .filter(({ url }) => URL.canParse(url))
          .map(({ url }) => same(new URL(url))),
      );
      for (const value of destinations(markdown)) {
        if (value === "" || !URL.canParse(value, BASE)) continue;
        count++;
        expect(found, markdown).toContain(same(new URL(value, BASE)));
      }
    }),
    { seed: 57, numRuns: sampleSize(6000) },
  );
  expect(count).toBeGreaterThan(50);
});
