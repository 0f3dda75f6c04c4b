import { parseUrl } from "@x/canon";
import { tryParseUrlAsBrowser } from "@x/canon/browser";
import { readUrl } from "@x/canon/readings";
import { firstOf, IS_DEEP } from "@x/test-support/sample-size";
import tr46 from "tr46";
import { describe, expect, test } from "vitest";
import { seededRandom } from "./generate.ts";
import { OPTIONS } from "./oracle.ts";

const random = seededRandom(20_261_123);

/**
 * A sample of all code points, denser in the planes that have characters. Testing every code point would take minutes.
 */
function* codePoints(): Generator<number> {
  const [dense, sparse] = IS_DEEP ? [10, 1000] : [80, 8000];
  for (let code = 0x80; code < 0x110000; code += 1 + random(code < 0x32000 ? dense : sparse)) {
    if (code < 0xd800 || code > 0xdfff) yield code;
  }
}

/** Matches the characters that browsers refuse in a host. A space is not among them, because Chromium allows it. */
const FORBIDDEN = /[\0-\x1f#%/:<>?@[\\\]^|\x7f]/;
/** Matches the characters that address bars remove at both ends of a text. */
const BLANKS_AT_ENDS = /^[\s\x85]+|[\s\x85]+$/g;

/** Six positions of a character in a host. */
const POSITIONS: readonly ((character: string) => string)[] = [
  (c) => `${c}evil.example`,
  (c) => `ev${c}il.example`,
  (c) => `evil${c}.example`,
  (c) => `evil.${c}example`,
  (c) => `evil.example${c}`,
  (c) => `${c}.evil.example`,
];

const JOINER = /[\u200c\u200d]/;

test.each(
  firstOf(
    2,
    POSITIONS.map((position, i) => [i, position] as const),
  ),
)(
  "characters in position %i have the reading of another implementation, or cannot be decided",
  { tags: "deep", timeout: 600_000 },
  (_i, position) => {
    const seen = { mapped: 0, refused: 0, undecided: 0, hidden: 0 };
    for (const code of codePoints()) {
      const character = String.fromCodePoint(code);
      const host = position(character);
      // U+FF05 becomes a percent sign, which only Chromium decodes.
      if (JOINER.test(character) || character === "\uff05" || character === "\ufe6a") continue;
      const ascii = tr46.toASCII(host, OPTIONS);
      const expected = ascii === null || ascii === "" || FORBIDDEN.test(ascii) ? null : ascii;
      for (const url of [`http://${host}/`, host, `http://${encodeURIComponent(host)}/`]) {
        const { browser, problem } = readUrl(url);
        if (problem?.code === "host-undecided") {
          seen.undecided++;
          // U+FFFD stands for bytes in another encoding.
          expect(character).toMatch(/\p{Cn}|\p{M}|\p{L}|\p{N}|\p{P}|\ufffd/u);
          continue;
        }
        const name = browser?.host ?? null;
        const trimmed = url.replace(BLANKS_AT_ENDS, "");
        if (trimmed !== url) {
          expect(name).toBe(parseUrl(trimmed).host);
          continue;
        }
        if (name !== (expected === null ? null : parseUrl(`http://${expected}/`).host)) {
          expect({ url, host: name }).toEqual({ url, host: expected });
        }
        seen[expected === null ? "refused" : "mapped"]++;
        if (name === "evil.example") seen.hidden++;
      }
    }
    for (const count of [seen.mapped, seen.refused, seen.undecided])
      expect(count).toBeGreaterThan(100);
  },
);

describe("what UTS 46 cannot decide", () => {
  test.each(["\u2065", "\u{e0002}", "\u0897", "\u{16d67}", "\u{2fa1f}"])("%s", (character) => {
    const url = `http://a${character}.example/`;
    expect(readUrl(url).problem?.code).toBe("host-undecided");
    expect(readUrl(url).browser).toBeNull();
    expect(tryParseUrlAsBrowser(url)).toBeNull();
    expect(parseUrl(url).host).toMatch(/^a(?:%[0-9A-F]{2})+\.example$/);
    // The length of the label does not matter, because a later version of Unicode may ignore the character.
    expect(readUrl(`http://a${character.repeat(600)}/`).problem?.code).toBe("host-undecided");
  });

  test.each(["\ue000", "\ufdd0", "\u{10ffff}", "\u2488"])("nobody opens %s", (character) => {
    const { specification, browser, problem } = readUrl(`http://a${character}.example/`);
    expect([specification?.host.startsWith("a%"), browser]).toEqual([true, null]);
    expect(problem?.code).toBe("host-invalid");
  });
});

test("zeros of any script may precede the number of an address", () => {
  for (const zero of ["0", "\uff10", "\u{1d7ce}", "\u{1ccf0}"]) {
    expect(tryParseUrlAsBrowser(`http://0x${zero.repeat(2000)}c37f000b/`)?.host).toBe(
      "195.127.0.11",
    );
    expect(tryParseUrlAsBrowser(`http://${zero.repeat(2000)}1.2.3.4/`)?.host).toBe("1.2.3.4");
  }
});
