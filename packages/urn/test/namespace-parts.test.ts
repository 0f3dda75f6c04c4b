import { parseUrn, type Urn, UrnError } from "@x/urn";
import * as exported from "@x/urn/namespaces";
import {
  type NamespaceParts,
  namespaceChecks,
  namespaceParts,
  namespaceRules,
  namespaces,
} from "@x/urn/namespaces";
import { describe, expect, test } from "vitest";
import { errorOf, loadVectors, titled } from "./load-vectors.ts";

const vectors = loadVectors<string, NamespaceParts | null>("namespace-parts");

test.each(titled(vectors))("%s", (_, { input, syntax, expected = null }) => {
  const urn = parseUrn(input, { syntax });
  expect(namespaceParts(input, { syntax })).toEqual(expected);
  expect(namespaceParts(urn)).toEqual(expected);
  if (expected === null) return;
  const namespace = namespaces[urn.nid.toLowerCase()]!;
  expect(namespace.tryParse(urn.nss)).toEqual(expected);
  expect(namespace.format(expected)).toBe(urn.nss);
});

test("every namespace has vectors with parts and vectors without", () => {
  for (const nid of Object.keys(namespaces)) {
    const own = vectors.filter(({ input }) => input.toLowerCase().startsWith(`urn:${nid}:`));
    const results = new Set(own.map(({ expected }) => expected === null));
    expect(results, nid).toEqual(new Set([true, false]));
  }
});

test("each namespace is in the tables under its NID, and is exported by itself", () => {
  for (const [nid, namespace] of Object.entries(namespaces)) {
    expect(namespace.nid).toBe(nid);
    expect(Object.values<unknown>(exported)).toContain(namespace);
    expect(namespaceChecks[nid]).toBe(namespace.check);
    const nss = "aB-:aB%C3";
    expect((namespaceRules[nid] ?? ((same) => same))(nss)).toBe(namespace.rule(nss));
  }
});

test("other namespaces can be used", () => {
  const urn = "urn:isbn:0395363411";
  expect(namespaceParts(urn, { namespaces: { isbn: namespaces.oid! } })).toBeNull();
  expect(namespaceParts(urn, { namespaces: {} })).toBeNull();
});

test("the documents of each namespace are those that the IANA registry names", () => {
  const registered = loadVectors<string, string>("iana-registry");
  const references = new Map(registered.map(({ input, expected }) => [input, expected!]));
  for (const [nid, { documents }] of Object.entries(namespaces)) {
    const [, rfc] = /^IETF (RFC \d+)$/.exec(references.get(nid)!) ?? [];
    // For ISBN and ISSN, the package follows the RFCs, not the registrations that replaced them.
    if (rfc === undefined) expect(["isbn", "issn"]).toContain(nid);
    else expect(documents).toContain(rfc);
  }
  // "doi" is registered, but its rules are not known.
  const known = Object.keys({ ...namespaceChecks, ...namespaceRules });
  expect([...references.keys()].sort()).toEqual([...known, "doi"].sort());
});

describe("format refuses parts that it would not read again", () => {
  const name = "f81d4fae7dec11d0a76500a0c91e6bf6";
  const law = { jurisdiction: "it", authority: "a", measure: "b", details: "c", annexes: [] };
  const noVersion = { expression: null, manifestation: null, partition: null };
  test.each<[nid: string, parts: NamespaceParts, index?: number]>([
    ["isbn", { elements: ["0-395", "36341", "1"] }],
    ["isbn", { elements: ["0", "395", "36341"] }],
    ["issn", { elements: ["10468188", "X"] }],
    ["uuid", { digits: name, variant: "rfc9562", version: 4 }],
    ["uuid", { digits: name, variant: "ncs", version: null }],
    ["uuid", { digits: `${name}0`, variant: "rfc9562", version: 1 }],
    ["uuid", { digits: name, variant: "rfc9562" }],
    ["oid", { arcs: ["1.3", "6"] }],
    ["oid", { arcs: ["01"] }],
    ["nbn", { country: "de", subspaces: [], name: "12", checkDigit: null }],
    [
      "nbn",
      { country: "de", subspaces: ["101", "1"], name: "201907280240175770291", checkDigit: "3" },
    ],
    ["nbn", { country: "fi", subspaces: [], name: "1", checkDigit: "2" }],
    ["nbn", { country: "fi", subspaces: ["a:b"], name: "1", checkDigit: null }],
    ["nbn", { country: "fi", subspaces: [""], name: "1", checkDigit: null }],
    ["service", { topLevel: "sos.police", subServices: [] }],
    ["ietf", { series: "rfc", names: ["2141", "1"] }],
    ["ietf", { series: "params", names: ["a:b"] }],
    ["oasis", { branch: "names", documentClass: "tc", fields: ["a:b", "c"] }],
    ["oasis", { branch: "member", memberId: "a:b", name: "c" }],
    ["mpeg", { standard: "a:b", name: "c" }],
    ["lex", { ...law, ...noVersion, details: "c@d" }],
    ["lex", { ...law, ...noVersion, expression: "" }],
  ])("%s %j", (nid, parts) => {
    const error = errorOf(() => namespaces[nid]!.format(parts));
    expect(error).toBeInstanceOf(UrnError);
    expect(error).toMatchObject({ code: "record-ambiguous", index: `urn:${nid}:`.length });
    expect(error.message).toContain(`expected parts of ${error.expected} (${error.section}).`);
  });

  test("that are not the parts of a URN", () => {
    expect(errorOf(() => exported.threeGpp.format({ name: "a b" })).code).toBe("nss-character");
    expect(errorOf(() => exported.isbn.format({ elements: [] })).code).toBe("nss-empty");
  });

  test.each<[string, unknown]>([
    ["isbn", null],
    ["isbn", undefined],
    ["isbn", {}],
    ["oid", { arcs: "1" }],
    ["service", { topLevel: "sos" }],
  ])("of a wrong type: %s %j", (nid, parts) => {
    expect(() => namespaces[nid]!.format(parts as NamespaceParts)).toThrow(
      new TypeError(
        `parts must be the parts of a name of urn:${nid}, not ${parts ? "an object" : parts}`,
      ),
    );
  });
});

test("input that is not a URN is an error", () => {
  expect(() => namespaceParts("isbn:1")).toThrow(UrnError);
  for (const value of [null, undefined, 1, {}]) {
    expect(() => namespaceParts(value as unknown as Urn)).toThrow(TypeError);
    expect(() => exported.isbn.tryParse(value as unknown as string)).toThrow(TypeError);
  }
});
