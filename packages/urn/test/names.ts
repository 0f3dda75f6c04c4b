import fc from "fast-check";

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length });
const word = fc
  .array(fc.constantFrom(..."abXY019"), { minLength: 1, maxLength: 4 })
  .map((letters) => letters.join(""));
const words = (minLength: number) => fc.array(word, { minLength, maxLength: minLength + 2 });

/** Random digits with their check digit, and with hyphens at some of the places. */
function numbered(
  length: number,
  checkDigit: (digits: readonly number[]) => number,
  places: readonly number[],
): fc.Arbitrary<string> {
  return fc.tuple(digits(length - 1), fc.subarray([...places])).map(([all, hyphens]) => {
    const last = checkDigit(all);
    const text = all.join("") + (last === 10 ? "X" : last);
    return [...text].map((digit, i) => (hyphens.includes(i) ? `-${digit}` : digit)).join("");
  });
}

const weighted = (all: readonly number[], weight: (i: number) => number) =>
  all.reduce((sum, digit, i) => sum + digit * weight(i), 0);
const modulus11 = (all: readonly number[]) =>
  (11 - (weighted(all, (i) => all.length + 1 - i) % 11)) % 11;
const isbn13 = (all: readonly number[]) =>
  (10 - (weighted([9, 7, 8, ...all], (i) => (i % 2 === 0 ? 1 : 3)) % 10)) % 10;

const optional = (mark: string) => fc.option(word).map((one) => (one === null ? "" : mark + one));

/** The digits that stand for each character in the Deutsche Nationalbibliothek's check digit. */
const GERMAN: Readonly<Record<string, string>> = {
  ...Object.fromEntries([..."012345678"].map((digit) => [digit, String(Number(digit) + 1)])),
  ...{ 9: "41", ":": "17", "-": "39", A: "18", B: "14", D: "15", E: "16", N: "13" },
  ...{ R: "12", U: "11", X: "36", Y: "37" },
};

/** The check digit by the published algorithm, computed with integers of any length. */
export function germanCheckDigit(urn: string): bigint {
  const all = [...urn.toUpperCase()].flatMap((character) => [...GERMAN[character]!]);
  const sum = all.reduce((sum, digit, i) => sum + BigInt(i + 1) * BigInt(digit), 0n);
  return (sum / BigInt(all.at(-1)!)) % 10n;
}

/** Valid names of each namespace. */
export const NAMES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  "3gpp": words(1).map((all) => all.join(":")),
  ietf: fc.oneof(
    fc.tuple(fc.constantFrom("rfc", "FYI", "std", "bcp"), fc.nat(9999)).map((all) => all.join(":")),
    fc.tuple(fc.constantFrom("id", "mtg"), words(1)).map(([id, all]) => `${id}:${all.join("-")}`),
    words(1).map((all) => `params:${all.join(":")}`),
    words(1).map((all) => `future:${all.join(":")}`),
  ),
  isbn: fc.oneof(
    numbered(10, modulus11, [1, 4, 9]),
    numbered(10, isbn13, [1, 4, 9]).map((rest) => `978-${rest}`),
  ),
  issn: numbered(8, modulus11, [4]),
  lex: fc
    .tuple(words(4), optional("@"), optional("$"))
    .map(([work, expression, manifestation]) => work.join(":") + expression + manifestation),
  mpeg: words(2).map((all) => all.join(":")),
  nbn: fc
    .tuple(fc.constantFrom("fi", "SE", "de"), words(0), words(1))
    .map(([country, codes, name]) => `${[country, ...codes].join(":")}-${name.join("-")}`)
    .map((name) => (name.startsWith("de") ? name + germanCheckDigit(`urn:nbn:${name}`) : name)),
  oasis: fc.oneof(
    words(3).map((all) => `names:tc:${all.join(":")}`),
    words(2).map((all) => `member:${all.join(":")}`),
  ),
  oid: fc
    .tuple(fc.constantFrom("0", "1", "2"), fc.nat(39), fc.array(fc.nat(), { maxLength: 4 }))
    .map(([first, second, rest]) => [first, second, ...rest].join(".")),
  service: words(1).map((all) => all.join(".")),
  uuid: fc.uuid(),
};
