import { parseUrn } from "@x/urn";
import { urn } from "@x/urn/schema";
import { Ajv } from "ajv";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { loadVectors } from "./load-vectors.ts";

const validate = (value: unknown, options?: Parameters<typeof urn>[0]) =>
  urn(options)["~standard"].validate(value);
const GOOD = "urn:isbn:0-395-36341-1";
const BAD_DIGIT = "urn:isbn:0-395-36341-2";

describe("the Standard Schema", () => {
  test("it says what the standard asks for", () => {
    const { version, vendor } = urn()["~standard"];
    expect([version, vendor]).toEqual([1, "@x/urn"]);
  });

  test.each(["rfc2141", "rfc8141"] as const)("accepts what parseUrn accepts under %s", (syntax) => {
    const vectors = loadVectors<string, object>(`parse-${syntax}`);
    for (const { input, appended } of vectors) {
      const text = input + (appended?.text.repeat(appended.times) ?? "");
      const result = validate(text, { syntax });
      let error: Record<string, unknown> | null = null;
      try {
        parseUrn(text, { syntax });
      } catch (thrown) {
        error = thrown as Record<string, unknown>;
      }
      if (error === null) expect(result).toEqual({ value: text });
      else {
        const { message, code, index, section } = error;
        expect(result).toEqual({ issues: [{ message, code, index, section }] });
      }
    }
  });

  test("rules of namespaces are off by default, and can be a table", () => {
    expect(validate(BAD_DIGIT)).toEqual({ value: BAD_DIGIT });
    expect(validate(BAD_DIGIT, { checks: false })).toEqual({ value: BAD_DIGIT });
    expect(validate(GOOD, { checks: true })).toEqual({ value: GOOD });
    expect(validate(BAD_DIGIT, { checks: true })).toEqual({
      issues: [
        {
          message: "Expected the last digit of the ISBN to match the others.",
          code: "isbn-check-digit",
          index: 9,
          section: "RFC 3187 §5",
        },
      ],
    });
    const problem = { code: "acme-odd", message: "Expected an even number.", section: "ACME 1" };
    const checks = { acme: (nss: string) => (/[02468]$/.test(nss) ? [] : [problem]) };
    expect(validate("URN:Acme:12", { checks })).toEqual({ value: "URN:Acme:12" });
    expect(validate("URN:Acme:13", { checks })).toEqual({ issues: [{ ...problem, index: 9 }] });
    expect(validate(BAD_DIGIT, { checks })).toEqual({ value: BAD_DIGIT });
  });

  test("a namespace's rule that RFC 8141 would not see broken says so", () => {
    expect(validate(`${GOOD}#p1`, { checks: true }).issues).toMatchObject([
      { code: "isbn-form", index: 9, allowedBy: "rfc8141" },
    ]);
    expect(validate(`${GOOD}#p1`, { checks: true, syntax: "rfc8141" }).issues).toBeUndefined();
    expect(validate(BAD_DIGIT, { checks: true }).issues![0]).not.toHaveProperty("allowedBy");
  });

  test("only the namespaces that are named are allowed, in either case", () => {
    const options = { nids: ["ISBN", "nbn"] };
    expect(validate(GOOD, options)).toEqual({ value: GOOD });
    expect(validate("URN:Isbn:x", options)).toEqual({ value: "URN:Isbn:x" });
    expect(validate("urn:ietf:rfc:2141", options)).toEqual({
      issues: [
        {
          message: 'Expected the namespace identifier "isbn" or "nbn", not "ietf".',
          code: "nid-not-allowed",
          index: 4,
          section: null,
        },
      ],
    });
    // The rules of a namespace that is not allowed are not applied.
    expect(validate(BAD_DIGIT, { nids: ["nbn"], checks: true }).issues).toHaveLength(1);
  });

  test("a value that is not a string is refused", () => {
    for (const value of [undefined, null, 1, {}, [], new String(GOOD), Symbol("urn:a:b")]) {
      expect(validate(value).issues).toMatchObject([{ code: "not-a-string", index: null }]);
    }
    expect(validate(null).issues?.[0]?.message).toBe("a URN must be a string, not null");
  });

  test("wrong options are refused when the schema is made", () => {
    for (const options of [
      { syntax: "rfc3986" },
      { nids: "isbn" },
      { nids: [] },
      { nids: [1] },
      { nids: ["urn:isbn"] },
      { nids: ["isbn:x"] },
      { nids: ["é"] },
      { nids: ["a"], syntax: "rfc8141" },
      { checks: "yes" },
      { checks: null },
    ]) {
      expect(() => urn(options as Parameters<typeof urn>[0]), JSON.stringify(options)).toThrow(
        TypeError,
      );
    }
  });
});

const isbn = urn({ nids: ["isbn"], checks: true });
const INPUTS = [GOOD, BAD_DIGIT, "urn:ietf:rfc:2141", "https://a.example/?urn:isbn:0395363411"];
const EXPECTED = [null, "isbn-check-digit", "nid-not-allowed", "scheme-missing"];

describe("in other libraries", () => {
  test("zod", () => {
    const schema = z.string().superRefine((text, context) => {
      for (const { message, ...params } of isbn["~standard"].validate(text).issues ?? []) {
        context.addIssue({ code: "custom", message, params });
      }
    });
    const codes = INPUTS.map((id) => {
      const { error } = z.object({ id: schema }).safeParse({ id });
      const issue = error?.issues[0];
      if (issue !== undefined) expect(issue.path).toEqual(["id"]);
      return issue?.code === "custom" ? issue.params?.["code"] : null;
    });
    expect(codes).toEqual(EXPECTED);
  });

  test("valibot", () => {
    const schema = v.pipe(
      v.string(),
      v.rawCheck(({ dataset, addIssue }) => {
        if (!dataset.typed) return;
        const { issues = [] } = isbn["~standard"].validate(dataset.value);
        for (const { message } of issues) addIssue({ message });
      }),
    );
    const messages = INPUTS.map(
      (id) => v.safeParse(v.object({ id: schema }), { id }).issues?.[0].message,
    );
    expect(messages).toEqual(
      INPUTS.map((id) => isbn["~standard"].validate(id).issues?.[0]?.message),
    );
  });

  test("arktype takes the schema itself", () => {
    const record = type({ id: isbn });
    expect(record({ id: GOOD })).toEqual({ id: GOOD });
    const refused = record({ id: BAD_DIGIT });
    expect(refused).toBeInstanceOf(type.errors);
    expect(`${refused}`).toContain("Expected the last digit of the ISBN");
    expect(record({ id: 1 })).toBeInstanceOf(type.errors);
  });

  test("a format of ajv", () => {
    const ajv = new Ajv().addFormat(
      "isbn-urn",
      (text) => isbn["~standard"].validate(text).issues === undefined,
    );
    const check = ajv.compile({ type: "string", format: "isbn-urn" });
    expect(INPUTS.map((input) => check(input))).toEqual(EXPECTED.map((code) => code === null));
    expect(check("urn:isbn:0395363411\n")).toBe(false);
  });
});
