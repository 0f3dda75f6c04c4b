import { parseUrn } from "@x/urn";
import { checkNamespace, namespaceChecks, namespaceRules } from "@x/urn/namespaces";
import { expect, test } from "vitest";
import { loadVectors, titled } from "./load-vectors.ts";

const vectors = loadVectors<string, boolean>("namespace-forms");

/** Problems with the form of a name. Other problems, such as wrong check digits, are of names that have the form. */
const OF_FORM = /-form$|^nbn-hr-delimiter$/;

test.each(titled(vectors))("%s", (_, { input, syntax, expected }) => {
  for (const urn of [input, parseUrn(input, { syntax })]) {
    const problems = checkNamespace(urn, { syntax });
    expect(problems.every(({ code }) => !OF_FORM.test(code))).toBe(expected);
  }
});

test("the namespaces are those of the IANA registry, and so are their documents", () => {
  const registered = loadVectors<string, string>("iana-registry");
  const references = new Map(registered.map(({ input, expected }) => [input, expected!]));
  const checks = loadVectors<string, string[]>("check-namespace");
  for (const nid of Object.keys(namespaceChecks)) {
    const [, rfc] = /^IETF (RFC \d+)\b/.exec(references.get(nid)!) ?? [];
    // For ISBN and ISSN, the package follows the RFCs, not the registrations that replaced them.
    if (rfc === undefined) expect(["isbn", "issn"]).toContain(nid);
    const sections = checks
      .filter(({ input }) => input.startsWith(`urn:${nid}:`))
      .flatMap(({ input, syntax }) => checkNamespace(input, { syntax }))
      .map(({ section }) => section.replace(/ §.*/, ""));
    if (rfc !== undefined) expect(sections, nid).toContain(rfc);
  }
  // "doi" is registered, but its rules are not known.
  const known = Object.keys({ ...namespaceChecks, ...namespaceRules });
  expect([...references.keys()].sort()).toEqual([...known, "doi"].sort());
});
