import { parseUrl } from "@x/canon";
import { unwrapLink } from "@x/links/unwrap";
import { checker, type Unwrap } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { describe, expect, test } from "vitest";

const list = prefixList([fullHash("evil.example/"), fullHash("www.google.com/")]);
const { check } = checker(list);
const unwrap: Unwrap = unwrapLink;
const listed = (url: string) => check(url, { unwrap }).map(({ inner }) => inner?.url ?? null);
const wrapped = "https://l.facebook.com/l.php?u=https%3A%2F%2Fevil.example%2Fa";

test("a listed URL inside makes a URL listed, and the match says through what", () => {
  expect(check(wrapped)).toEqual([]);
  const [match] = check(wrapped, { unwrap });
  expect(match).toMatchObject({
    expression: "evil.example/",
    inner: {
      url: "https://evil.example/a",
      wrapper: "Facebook",
      certainty: "certain",
      inside: null,
    },
  });
});

test.each([
  ["http://evil.example/", [null]],
  ["http://good.example/", []],
  ["view-source:http://evil.example/", ["http://evil.example/"]],
  ["https://www.google.com/url?q=http://evil.example/", [null, "http://evil.example/"]],
  ["https://good.example/?next=http://evil.example/", ["http://evil.example/"]],
  ["https://protect-us.mimecast.com/s/a?domain=evil.example", ["http://evil.example"]],
])("%s", (url, urls) => {
  expect(listed(url)).toEqual(urls);
});

test("bytes and canonical URLs are unwrapped, too", () => {
  expect(check(new TextEncoder().encode(wrapped), { unwrap })).toHaveLength(1);
  expect(check(parseUrl(wrapped), { unwrap })).toHaveLength(1);
});

describe("there is no verdict", () => {
  test("on what is not a URL and contains nothing that is listed", () => {
    expect(() => check("view-source:http://good.example/", { unwrap })).toThrow(
      "host after the scheme",
    );
  });

  test("on a URL that the given one certainly leads to", () => {
    const undecided = "https://www.google.com/url?q=http%3A%2F%2Fev%E2%81%A5il.example%2F";
    expect(() => checker(prefixList([])).check(undecided, { unwrap })).toThrow(
      "Browsers may open the URL",
    );
    const invalid = "https://l.facebook.com/l.php?u=http%3A%2F%2Fevil.example%22%2F";
    expect(() => check(invalid, { unwrap })).toThrow("no site can have this host");
    expect(listed("https://good.example/?u=http%3A%2F%2Fevil.example%22%2F")).toEqual([]);
  });

  test("if there may be more URLs inside", () => {
    const many = Array.from({ length: 40 }, (_, i) => `u=http://${i}.example/`).join("&");
    expect(() => check(`http://good.example/?${many}`, { unwrap })).toThrow(RangeError);
    expect(listed(`http://evil.example/?${many}`)).toEqual([null]);
    expect(listed(`http://good.example/?u=http://evil.example/&${many}`)).toHaveLength(1);
  });

  test("without a function", () => {
    // @ts-expect-error
    expect(() => check(wrapped, { unwrap: true })).toThrow("unwrap must be a function");
    // @ts-expect-error
    expect(() => check(wrapped, 1)).toThrow(TypeError);
  });
});
