import { readFileSync } from "node:fs";
import { decodeNss, encodeNss, formatUrn, parseUrn, tryParseUrn, type Urn } from "@x/urn";
import * as urnLib from "urn-lib";
import * as urns from "urns";
import { expect, test } from "vitest";
import { errorOf, loadVectors, titled, type Vector } from "./load-vectors.ts";

/** A text from the tests of another library, with the results of that library and of this package. */
interface Case extends Vector<string, Urn> {
  readonly library: "urn-lib" | "urns" | "urnparse";
  /** The test with the text, or `null` for a difference that the library does not test. */
  readonly test: string | null;
  /** The parts, as written, or `null` when the library refuses the text. */
  readonly theirs: Urn | null;
  /** The name that the NSS stands for. */
  readonly decoded?: string;
}

const cases = loadVectors<string, Urn>("migration") as Case[];
const guide = readFileSync(new URL("../../../docs/urns.md", import.meta.url), "utf8");

test.each(titled(cases))("%s", (_, { input, syntax, expected, error, decoded }) => {
  if (error !== undefined) {
    expect(errorOf(() => parseUrn(input, { syntax }))).toMatchObject(error);
    expect(tryParseUrn(input, { syntax })).toBe(null);
    return;
  }
  const urn = parseUrn(input, { syntax });
  expect(urn).toEqual(expected);
  expect(formatUrn(urn, { syntax })).toBe(input.replace(/^URN/, "urn"));
  if (decoded !== undefined) expect(decodeNss(urn.nss, { syntax })).toBe(decoded);
});

/** The results of the two JavaScript libraries for a text, as written. */
const READ: Readonly<Record<string, (text: string) => Urn | null>> = {
  "urn-lib": (text) => {
    const { RFC2141 } = urnLib;
    const parsed = RFC2141.parse(text);
    if (parsed === null || RFC2141.validate(parsed) !== null) return null;
    const { nid, nss } = parsed as { nid: string; nss: string };
    return { nid, nss, rComponent: null, qComponent: null, fComponent: null };
  },
  urns: (text) => {
    try {
      const { nid, nss_encoded, rcomponent, qcomponent, fragment } = urns.parseURN(text);
      return {
        nid,
        nss: nss_encoded,
        rComponent: rcomponent,
        qComponent: qcomponent,
        fComponent: fragment,
      };
    } catch {
      return null;
    }
  },
};

const inJavaScript = cases.filter(({ library }) => library in READ);

test.each(titled(inJavaScript))("the other library: %s", (_, { library, input, theirs }) => {
  expect(READ[library]!(input)).toEqual(theirs);
});

test("names that urns encodes and decodes in another way", () => {
  expect(urns.parseURN("urn:example:a%2Cb").nss).toBe("a%2Cb");
  expect(decodeNss("a%2Cb")).toBe("a,b");
  expect(urns.parseURN(urns.createURN("example", "a#b"))).toMatchObject({
    nss: "a",
    fragment: "b",
  });
  expect(encodeNss("a#b")).toBe("a%23b");
});

test("each difference is explained", () => {
  for (const { input, theirs, expected = null, why } of inJavaScript) {
    const isDifferent = JSON.stringify(theirs) !== JSON.stringify(expected);
    expect(why !== undefined, input).toBe(isDifferent);
  }
});

test("the guide has every export of the libraries", () => {
  const missing = (names: readonly string[]) =>
    names.filter((name) => !new RegExp(`^\\| .*\`${name}\\b`, "m").test(guide));
  expect(missing(Object.keys(urnLib))).toEqual([]);
  expect(missing(Object.keys(urns))).toEqual([]);
  const types = "ComponentMaps SpaceOptions URNFrom FullURNFrom FullURN BaseURN ParsedURN";
  expect(missing(types.split(" "))).toEqual([]);
  expect(missing(["ValidationRule", "ValidationRuleObject"])).toEqual([]);
});
