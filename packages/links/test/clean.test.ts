import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanOddUrl, cleanUrl } from "../src/text/link-end.ts";

test("the shortcut for clean links changes nothing", () => {
  const start = fc.constantFrom(
    ...["http://", "https://", "HTTP://", "http:", "http//", "http;//", "hxxp://", "http-//", ""],
    ...["feed:http://", "h__p", "xxp.//", "meow.", "http=3A//", "http%3A%2F%2F", "https."],
  );
  const host = fc.constantFrom(
    "a.com",
    "A-b.co.uk",
    "1.2.3.4",
    "aDOTb",
    "a dot b",
    "a[.]com",
    "http.com",
  );
  const piece = fc.constantFrom(
    ..."/ ? # & = =3D =3d =41 % %3a + , : ; . .. ~ _ __ - -// .// a 0 hxxp:// DOT [.] \\ \u200b \n".split(
      " ",
    ),
  );
  let plain = 0;
  fc.assert(
    fc.property(start, host, fc.array(piece, { maxLength: 6 }), (start, host, pieces) => {
      const written = start + host + pieces.join("");
      const cleaned = cleanOddUrl(written);
      expect(cleanUrl(written)).toEqual(cleaned);
      if (cleaned.url === written) plain++;
    }),
    { seed: 57, numRuns: sampleSize(20_000, 3000) },
  );
  expect(plain).toBeGreaterThan(100);
});
