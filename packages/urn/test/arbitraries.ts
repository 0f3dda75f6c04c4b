import fc from "fast-check";

/** The seed of every property, so that a failure can be repeated everywhere. */
export const SEED = 2141;

const CHARACTERS = [
  ..."abzAZ019-._~!$&'()*+,;=:@/?#%",
  "\\",
  '"',
  "<",
  " ",
  "\u212a",
  "\u00e9",
  "\0",
];
const PIECES = [
  "urn:",
  "URN:",
  "?+",
  "?=",
  "#",
  "%00",
  "%C3",
  "%c3%a9",
  "%4g",
  "%25",
  "a1:",
  "urn",
  "-",
];

/** Texts that are nearly URNs, and reach every branch of the grammar. */
export const nearUrns: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom("urn:", "URN:", "uRn:", "urn", ""),
    fc.constantFrom("", "a", "a1", "A-b", "-a", "a-", "urn", "a".repeat(32), "a".repeat(33)),
    fc.constantFrom(":", ":", ":", ""),
    fc.array(fc.oneof(fc.constantFrom(...CHARACTERS), fc.constantFrom(...PIECES)), {
      maxLength: 8,
    }),
  )
  .map(([scheme, nid, colon, rest]) => scheme + nid + colon + rest.join(""));

const escapes = fc.tuple(fc.integer({ min: 1, max: 255 }), fc.boolean()).map(([byte, isUpper]) => {
  const hex = byte.toString(16).padStart(2, "0");
  return `%${isUpper ? hex.toUpperCase() : hex}`;
});

function text(characters: string, minLength: number): fc.Arbitrary<string> {
  return fc
    .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...characters) }, escapes), {
      minLength,
      maxLength: 12,
    })
    .map((parts) => parts.join(""));
}

const scheme = fc.constantFrom("urn", "URN", "Urn", "uRN");
const nid = fc.constantFrom(
  "ab",
  "AB",
  "isbn",
  "ISBN",
  "nbn",
  "a-1",
  "uuid",
  "gsma",
  "urn-1",
  "x".repeat(32),
);

/** URNs of RFC 2141. */
export const urns2141: fc.Arbitrary<string> = fc
  .tuple(scheme, nid, text("abxXAB019()+,-.:=@;$_!*'/?#", 1))
  .map((parts) => parts.join(":"));

/** URNs of RFC 8141. */
export const urns8141: fc.Arbitrary<string> = fc
  .tuple(
    scheme,
    nid,
    text("abxXAB019()+,-.:=@;$_!*'~&", 1),
    fc.option(text("abAB0:+=", 1)),
    fc.option(text("abAB0:+=", 1)),
    fc.option(text("abAB0/?", 0)),
  )
  .map(([urn, id, nss, r, q, f]) => {
    const components =
      (r === null ? "" : `?+${r}`) + (q === null ? "" : `?=${q}`) + (f === null ? "" : `#${f}`);
    return `${urn}:${id}:${nss}${components}`;
  });

/** Running text with URNs, text that resembles URNs, and punctuation. */
export const runningText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      nearUrns,
      urns8141,
      fc.constantFrom(" ", "x", "(", ")", ".", ",", "\n", "\u00e9", "_", "urn:", ":", "%"),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));

const URNS_IN_MARKUP = fc.constantFrom(
  "urn:ab:c",
  "URN:isbn:1",
  "urn:ab:c?=q",
  "urn:ab:c-",
  "urn:ab:a%20b",
  "urn:",
);
const DELIMITED_URNS: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(
      ["'", "'/>"],
      ["**", "**"],
      ["=", "&x=y"],
      ["%22", "%22"],
      ["=3C", "=3E"],
      ["&quot;", "&quot;"],
      ["~~", "~~"],
      ["_", "_"],
      ["__", "__"],
      ["____", "___x"],
      ["\u001b[1m", "\u001b[0m"],
    ),
    URNS_IN_MARKUP,
  )
  .map(([[opening, closing], text]) => `${opening}${text}${closing}`);

/** URNs in the notations that surround them in files, and pieces of these notations. */
export const markup: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      URNS_IN_MARKUP,
      DELIMITED_URNS,
      fc.constantFrom(
        "'",
        "*",
        "**",
        "~",
        "~~",
        "=",
        "/>",
        ",",
        "&",
        "&dn=",
        "&quot;",
        "&#39;",
        "&amp;",
      ),
      fc.constantFrom("\\n", "\\r\\n", "\\u003c", "\\u0041", "\\x3C", "\\074", "\\101", "\\"),
      fc.constantFrom("%20", "%2520", "%41", "%27", "%u003C", "=3C", "=3E", "=3c", "=41", "%"),
      fc.constantFrom("\u001b[32m", "\u001b[0m", "\\e[1;31m", "[32m", "\u001b", "m", "20", "3C"),
      fc.constantFrom("\n", "\r\n", "\u00ad", "\u2011", " ", "<", ">", '"', "x", "_", "-"),
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(""));
