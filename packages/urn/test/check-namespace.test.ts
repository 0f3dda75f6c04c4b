import { parseUrn, type Urn, UrnError } from "@x/urn";
import { checkNamespace, namespaceChecks } from "@x/urn/namespaces";
import { expect, test } from "vitest";
import { loadVectors, titled } from "./load-vectors.ts";

const vectors = loadVectors<string, string[]>("check-namespace");

test.each(titled(vectors))("%s", (_, { input, expected, section }) => {
  const problems = checkNamespace(input);
  expect(problems.map((problem) => problem.code)).toEqual(expected);
  for (const problem of problems) {
    expect(problem.section).toBe(section);
    expect(problem.message).toMatch(/^Expected .*\.$/);
  }
  expect(checkNamespace(parseUrn(input))).toEqual(problems);
});

test("every check has vectors that pass and that fail", () => {
  for (const nid of Object.keys(namespaceChecks)) {
    const own = vectors.filter(({ input }) => input.startsWith(`urn:${nid}:`));
    const passed = new Set(own.map(({ expected }) => expected!.length === 0));
    expect(passed, nid).toEqual(new Set([true, false]));
  }
});

test("the NID's case does not matter", () => {
  expect(checkNamespace("URN:ISBN:1")).toHaveLength(1);
});

test("long names are refused in no time", () => {
  const long = "1".repeat(1_000_000);
  for (const nid of Object.keys(namespaceChecks)) {
    for (const nss of [
      long,
      `imei:${long}`,
      `ul:${long}`,
      `10.5240:${long}`,
      "-".repeat(1_000_000),
    ]) {
      expect(Array.isArray(checkNamespace(`urn:${nid}:${nss}`))).toBe(true);
    }
  }
});

test("what is no URN is an error", () => {
  expect(() => checkNamespace("isbn:1")).toThrow(UrnError);
  for (const value of [null, undefined, 1, {}]) {
    expect(() => checkNamespace(value as unknown as Urn)).toThrow(TypeError);
  }
});
