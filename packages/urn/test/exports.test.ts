import * as main from "@x/urn";
import * as namespaces from "@x/urn/namespaces";
import * as schema from "@x/urn/schema";
import { expect, test } from "vitest";

test("the names that the package exports", () => {
  expect(Object.keys(main).sort()).toEqual([
    "UrnError",
    "canonicalKey",
    "decodeNss",
    "displayUrn",
    "encodeNss",
    "equivalentUrns",
    "findUrns",
    "formatUrn",
    "isUrn",
    "normalizeUrn",
    "parseUrn",
    "tryParseUrn",
    "urnFinder",
    "urnProblem",
    "usesReservedCharacters",
  ]);
  expect(Object.keys(namespaces).sort()).toEqual([
    "checkNamespace",
    "ignoreCase",
    "ignoreCaseBefore",
    "namespaceChecks",
    "namespaceRules",
  ]);
  expect(Object.keys(schema).sort()).toEqual(["urn"]);
});
