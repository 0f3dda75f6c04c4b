import { anyCharacter } from "@x/test-support/generated-text";
import fc from "fast-check";

const LENGTHS = [4, 4, 4, 5, 6, 8, 16, 31, 32];

/**
 * A prefix in hex with few different bytes, so that prefixes are often equal, adjacent, or prefixes of each other.
 */
export const prefixHex: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...LENGTHS),
    fc.constantFrom("00", "01", "7f", "80", "ff"),
    fc.constantFrom("0000", "0001", "ffff"),
    fc.constantFrom("00", "01", "02", "7f", "fe", "ff"),
    fc.constantFrom("00", "01", "ff"),
  )
  .map(([bytes, first, middle, fourth, rest]) => {
    const word = first + middle + fourth;
    return word + rest.repeat(bytes - 4);
  });

export const prefixSet: fc.Arbitrary<string[]> = fc.array(prefixHex, {
  maxLength: 60,
  size: "max",
});

/** Three sets of prefixes, which have mixed lengths or are all 4 bytes long. */
export const prefixSets: fc.Arbitrary<[string[], string[], string[]]> = fc.oneof(
  fc.tuple(prefixSet, prefixSet, prefixSet),
  fc
    .tuple(prefixSet, prefixSet, prefixSet)
    .map((sets) => sets.map((texts) => texts.map((text) => text.slice(0, 8))) as typeof sets),
);

/** A name and a time that a list may have. */
export const facts: fc.Arbitrary<{ name: string; created: number }> = fc.record({
  name: fc.string({ unit: anyCharacter, maxLength: 20 }),
  created: fc.integer({ min: 0, max: 8.64e15 }),
});
