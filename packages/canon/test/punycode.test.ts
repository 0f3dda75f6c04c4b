import { decodeLabel, encodeLabel, PUNYCODE } from "@x/canon/punycode";
import { anyCharacter } from "@x/test-support/generated-text";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";

fc.configureGlobal({ seed: 20_261_123, numRuns: sampleSize(3000) });

/** The bias after an insertion (RFC 3492 §6.1). */
function adapt(delta: number, points: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? 700 : 2));
  rest += Math.floor(rest / points);
  let k = 0;
  while (rest > 455) {
    rest = Math.floor(rest / 35);
    k += 36;
  }
  return k + Math.floor((36 * rest) / (rest + 38));
}

const DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";

/** The procedure of RFC 3492 §6.3 as it is written, which goes over the whole label for each different character. */
function encodePlainly(label: string): string {
  const codes = Array.from(label, (character) => character.codePointAt(0)!);
  const basic = codes.filter((code) => code < 0x80);
  let output = PUNYCODE + String.fromCodePoint(...basic) + (basic.length > 0 ? "-" : "");
  let n = 0x80;
  let delta = 0;
  let bias = 72;
  let handled = basic.length;
  while (handled < codes.length) {
    const next = Math.min(...codes.filter((code) => code >= n));
    delta += (next - n) * (handled + 1);
    n = next;
    for (const code of codes) {
      if (code < n) delta++;
      if (code !== n) continue;
      let rest = delta;
      for (let k = 36; ; k += 36) {
        const t = Math.min(Math.max(k - bias, 1), 26);
        output += DIGITS[rest < t ? rest : t + ((rest - t) % (36 - t))];
        if (rest < t) break;
        rest = Math.floor((rest - t) / (36 - t));
      }
      bias = adapt(delta, handled + 1, handled === basic.length);
      delta = 0;
      handled++;
    }
    delta++;
    n++;
  }
  return output;
}

/** Labels in which a few characters recur, labels of any characters except lone surrogates, and long labels. */
const labels = fc.oneof(
  fc.string({
    unit: fc.constantFrom(..."ab-\u00e9\u00fc\u4e00\u{1f600}\u{10ffff}"),
    maxLength: 40,
  }),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({ unit: "grapheme", minLength: 200, maxLength: 600 }),
);

test("a label is encoded as the procedure of the RFC does, and decoded to itself", () => {
  const seen = { equal: 0, ascii: 0, mixed: 0, long: 0 };
  fc.assert(
    fc.property(labels, (label) => {
      const encoded = encodeLabel(label);
      expect(encoded).toBe(encodePlainly(label));
      expect(decodeLabel(encoded)).toBe(label);
      const others = Array.from(label).filter((character) => character > "\x7f");
      if (others.length > new Set(others).size) seen.equal++;
      if (others.length === 0) seen.ascii++;
      else if (others.length < Array.from(label).length) seen.mixed++;
      if (label.length > 100) seen.long++;
    }),
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10);
});

// RFC 3492 §7.1, (A), (L) and (S), and labels that end in a character outside the basic plane.
test.each([
  ["ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"],
  ["3年B組金八先生", "3B-ww4c5e180e575a65lsy2b"],
  ["-> $1.00 <-", "-> $1.00 <--"],
  ["a\u{1f600}", "a-b063b"],
  ["", ""],
])("%s is encoded as %s", (label, expected) => {
  expect(encodeLabel(label)).toBe(encodePlainly(label));
  if (label !== "a\u{1f600}") expect(encodeLabel(label)).toBe(PUNYCODE + expected);
});
