import { explainUrl, innerRecord, innerText, matchRecord, matchText } from "@x/explain";
import { checker } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { describe, expect, test } from "vitest";

const LIST = prefixList([fullHash("evil.example/"), fullHash("195.127.0.11/")], {
  name: "l",
  prefixBytes: 4,
});

test.each([
  ["http://evil.example\\@good.example/", ["backslash"]],
  ["http://good.example%2F@evil.example/", ["userinfo"]],
  ["http://good.example%252F@evil.example/", ["userinfo"]],
  ["\u0001http://evil.example/", ["control-character"]],
  ["http:3279880203/", ["slashes-missing", "address"]],
  ["https:evil.example", ["slashes-missing"]],
  ["http:/evil.example", ["slashes-missing"]],
  ["http:///evil.example", ["slashes-missing"]],
  ["http;//evil.example", ["scheme"]],
  ["https//evil.example", ["scheme"]],
  ["\ufeffhttp://evil.example", ["control-character"]],
  ["htp://evil.example\\@good.example", ["scheme", "backslash"]],
  ["evil.example\\x", ["backslash"]],
  ["http:\\\\evil.example", ["backslash"]],
  ["http://evil。example/\\", ["backslash", "idna"]],
])("%j: browsers open a listed place, for a reason that is named", (url, codes) => {
  const explained = explainUrl(url, [LIST]);
  if ("error" in explained) throw new Error(explained.error.message);
  expect(explained.listed).toBe(true);
  expect(explained.browser?.differences.map(({ code }) => code)).toEqual(codes);
  expect(explained.matches.every(({ reading }) => reading === "browser")).toBe(
    url !== "http://evil。example/\\",
  );
  const letter = explainUrl(url, [LIST], { readings: "specification" });
  if (!("error" in letter)) expect(letter).toMatchObject({ browser: null, reading: "both" });
});

test("a URL that everybody reads alike has one reading", () => {
  expect(explainUrl("HTTP://EVIL.example:80/a/../b", [LIST])).toMatchObject({
    reading: "both",
    browser: null,
    refused: null,
  });
});

test("an input that only browsers read shows their reading, and why it is refused", () => {
  expect(explainUrl("https:evil.example", [LIST])).toMatchObject({
    reading: "browser",
    canonical: "https://evil.example/",
    refused: { code: "authority-missing" },
  });
});

describe("a URL inside another one", () => {
  const outer = { wrapper: "B", certainty: "guess", inside: null } as const;
  const inside = { ...outer, url: "https://b.example/?u=http://evil.example/" };
  const inner = {
    wrapper: "A",
    certainty: "certain",
    inside,
    url: "http://evil.example/",
  } as const;
  const [match] = checker([LIST]).check("http://evil.example/");

  test("is in the record of a match, and nothing else is", () => {
    const more = { ...inner, depth: 2, inside: { ...inside, depth: 1 } };
    expect(matchRecord({ ...match!, inner: more }).inner).toEqual(inner);
    expect(innerRecord(more)).toEqual(inner);
  });

  test("is named with the wrappers that it was in", () => {
    expect(innerText(inner)).toBe("http://evil.example/ (B → A)");
    expect(matchText(matchRecord({ ...match!, inner }), null)).toMatch(
      /^evil\.example\/ .*, inside the URL: http:\/\/evil\.example\/ \(B → A\)$/,
    );
  });
});
