import fc from "fast-check";

/*
 * Like `unit: "binary"` and `webUrl()` of fast-check. The functions of fast-check make a table of all characters at
 * their first use, which takes each process two seconds.
 */

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/** Any character, for `fc.string({ unit: anyCharacter })`. The text has no lone surrogates. */
export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: 0x10ffff - SURROGATES }).map(
  (index) => String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES),
  (character) => {
    const [only, more] = typeof character === "string" ? character : [];
    if (only === undefined || more !== undefined) throw new Error("not one character");
    const codePoint = only.codePointAt(0)!;
    if (codePoint < FIRST_SURROGATE) return codePoint;
    if (codePoint < FIRST_SURROGATE + SURROGATES) throw new Error("a lone surrogate");
    return codePoint - SURROGATES;
  },
);

/** A character of a segment, escaped if it must be. */
const segmentCharacter = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.constantFrom(
      ..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@",
    ),
  },
  {
    weight: 1,
    arbitrary: anyCharacter.map((character) => {
      const escaped = encodeURIComponent(character);
      return escaped === character ? `%${character.codePointAt(0)!.toString(16)}` : escaped;
    }),
  },
);

/** An `http:` or `https:` URL with a host and a path. */
export const webUrl: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom("http", "https"),
    fc.webAuthority(),
    fc.array(fc.string({ unit: segmentCharacter }), { size: "xsmall" }),
  )
  .map(([scheme, authority, segments]) => [`${scheme}://${authority}`, ...segments].join("/"));
