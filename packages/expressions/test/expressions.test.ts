import { runInNewContext } from "node:vm";
import { CanonError, type CanonicalUrl, parseUrl, tryParseUrl } from "@x/canon";
import { exactExpression, expressions } from "@x/expressions";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateInput, seededRandom } from "../../canon/test/generate.ts";
import { oracle } from "./oracle.ts";

fc.configureGlobal({ seed: 20_240_607, numRuns: sampleSize(3000) });

/**
 * URLs whose hosts have any number of labels and whose paths have any number of components, with and without a query.
 */
const manyParts = fc
  .record({
    labels: fc.array(fc.constantFrom("a", "b", "www", "1", "xn--9ca"), {
      minLength: 1,
      maxLength: 9,
    }),
    components: fc.array(fc.constantFrom("1", "2", "x.html", "%20"), { maxLength: 7 }),
    isFolder: fc.boolean(),
    query: fc.constantFrom("", "?", "?q", "?q/r/s?t"),
  })
  .map(({ labels, components, isFolder, query }) => {
    const path = components.map((component) => `/${component}`).join("");
    return `http://${labels.join(".")}${path}${isFolder ? "/" : ""}${query}`;
  });
const hostile = fc.nat(2 ** 31 - 1).map((seed) => generateInput(seededRandom(seed)));

const urls = fc
  .oneof(manyParts, hostile)
  .map(tryParseUrl)
  .filter((url): url is CanonicalUrl => url !== null);

/** A stand-in for the Public Suffix List that returns the last `count` labels, or `null` when there are fewer. */
const lastLabels = (count: number) => (host: string) => {
  const labels = host.split(".");
  return labels.length < count ? null : labels.slice(-count).join(".");
};

describe("expressions of any URL", () => {
  test("are 1 to 30, distinct, and the same as the oracle's", () => {
    const counts = new Set<number>();
    fc.assert(
      fc.property(urls, (url) => {
        const all = expressions(url);
        expect(all).toEqual(oracle(url));
        expect(exactExpression(url)).toBe(all[0]);
        expect(new Set(all).size).toBe(all.length);
        counts.add(all.length);
      }),
    );
    expect(Math.min(...counts)).toBe(1);
    expect(Math.max(...counts)).toBe(30);
  });

  test("by the registrable domain, are 1 to 30, distinct, and the same as the oracle's", () => {
    const counts = new Set<number>();
    fc.assert(
      fc.property(urls, fc.integer({ min: 1, max: 4 }), (url, labels) => {
        const registrableDomain = lastLabels(labels);
        const all = expressions(url, { registrableDomain });
        expect(all).toEqual(oracle(url, registrableDomain));
        expect(exactExpression(url)).toBe(all[0]);
        expect(new Set(all).size).toBe(all.length);
        counts.add(all.length);
      }),
    );
    expect(Math.min(...counts)).toBe(1);
    expect(Math.max(...counts)).toBe(30);
  });

  test("are slices of host, path and query", () => {
    fc.assert(
      fc.property(urls, (url) => {
        const whole = `${url.host}${url.path}${url.query === null ? "" : `?${url.query}`}`;
        const all = expressions(url);
        expect(whole.startsWith(all[0]!)).toBe(true);
        const hosts = new Set(all.map((expression) => expression.replace(/\/.*/s, "")));
        const paths = new Set(all.map((expression) => expression.replace(/^[^/]*/, "")));
        expect(hosts.size).toBeLessThanOrEqual(5);
        expect(paths.size).toBeLessThanOrEqual(6);
        expect(all.length).toBe(hosts.size * paths.size);
        for (const host of hosts) expect(`.${url.host}`.endsWith(`.${host}`)).toBe(true);
        for (const path of paths) expect(whole.startsWith(path, url.host.length)).toBe(true);
      }),
    );
  });

  test("of text and bytes are those of the parsed URL, or a CanonError", () => {
    let refused = 0;
    fc.assert(
      fc.property(hostile, (input) => {
        const url = tryParseUrl(input);
        if (url !== null) {
          expect(expressions(input)).toEqual(expressions(url));
          expect(exactExpression(input)).toBe(exactExpression(url));
        } else {
          refused++;
          expect(() => expressions(input)).toThrow(CanonError);
          expect(() => exactExpression(input)).toThrow(CanonError);
        }
      }),
    );
    expect(refused).toBeGreaterThan(fewest(100));
  });
});

describe("a CanonicalUrl", () => {
  test("is trusted, not parsed again", () => {
    const url: CanonicalUrl = {
      get href(): string {
        throw new Error("nobody needs it");
      },
      get scheme(): string {
        throw new Error("nobody needs it");
      },
      host: "A..B.C",
      hostType: "domain",
      path: "/x//../y",
      query: "#",
    };
    expect(expressions(url)).toEqual([
      "A..B.C/x//../y?#",
      "A..B.C/x//../y",
      "A..B.C/",
      "A..B.C/x/",
      "A..B.C/x//",
      "A..B.C/x//../",
      ".B.C/x//../y?#",
      ".B.C/x//../y",
      ".B.C/",
      ".B.C/x/",
      ".B.C/x//",
      ".B.C/x//../",
      "B.C/x//../y?#",
      "B.C/x//../y",
      "B.C/",
      "B.C/x/",
      "B.C/x//",
      "B.C/x//../",
    ]);
  });

  test("says whether its host is an address", () => {
    const url = {
      href: "http://1.2.3.4/",
      scheme: "http",
      host: "1.2.3.4",
      path: "/",
      query: null,
    } as const;
    expect(expressions({ ...url, hostType: "ipv4" })).toEqual(["1.2.3.4/"]);
    expect(expressions({ ...url, hostType: "domain" })).toEqual(["1.2.3.4/", "2.3.4/", "3.4/"]);
  });
});

describe("registrableDomain", () => {
  test("is called once, with the canonical host", () => {
    const asked: string[] = [];
    expressions("http://u@A.B.\u00e9.com:80/x", {
      registrableDomain: (host) => {
        asked.push(host);
        return null;
      },
    });
    expect(asked).toEqual(["a.b.xn--9ca.com"]);
  });

  test.each(["http://1.2.3.4/", "http://[::1]/", "http://0x7f.1/"])(
    "is not called for %s",
    (url) => {
      const registrableDomain = () => {
        throw new Error("asked");
      };
      expect(expressions(url, { registrableDomain })).toHaveLength(1);
    },
  );

  test.each([
    "",
    "x.com",
    "ample.com",
    ".example.com",
    "a.b.example.com.",
    "z.a.b.example.com",
    "example.org",
  ])("must not return %j for a.b.example.com", (domain) => {
    const give = () => expressions("a.b.example.com", { registrableDomain: () => domain });
    expect(give).toThrow(TypeError);
    expect(give).toThrow(
      `registrableDomain must return null or whole labels at the end of "a.b.example.com", not "${domain}"`,
    );
  });

  test("may return undefined for none, as JavaScript functions do", () => {
    const registrableDomain = () => undefined as never;
    expect(expressions("a.b.c", { registrableDomain })).toEqual(["a.b.c/"]);
  });

  test.each([
    [1, "a number"],
    [{ length: 1 }, "an object"],
    [["b.c"], "an array"],
    [true, "a boolean"],
  ])("must not return %j", (domain, kind) => {
    const give = () => expressions("a.b.c", { registrableDomain: () => domain as never });
    const message = `the result of registrableDomain must be a string or null, not ${kind}`;
    expect(give).toThrow(new TypeError(message));
  });

  test("must not return an empty name for a host that ends in a dot", () => {
    const url: CanonicalUrl = { ...parseUrl("http://a.b/"), host: "a.b." };
    expect(() => expressions(url, { registrableDomain: () => "" })).toThrow(TypeError);
  });

  test("may be undefined", () => {
    expect(expressions("a.b.c", { registrableDomain: undefined })).toEqual(["a.b.c/", "b.c/"]);
  });
});

test("a Uint8Array of another realm, such as a frame or a test runner, is accepted", () => {
  const octets: Uint8Array = runInNewContext("Uint8Array.of(0x61, 0x2e, 0x62)");
  expect(octets instanceof Uint8Array).toBe(false);
  expect(expressions(octets)).toEqual(["a.b/"]);
});

test("an array of another type throws a TypeError that says what was expected", () => {
  expect(() => expressions(new Uint16Array([0x61]) as never)).toThrow(TypeError);
  expect(() => expressions(new Uint16Array([0x61]) as never)).toThrow("Uint8Array");
});

const parsed = parseUrl("http://a.b/");
test.each([
  [undefined, "undefined"],
  [null, "null"],
  [1, "a number"],
  [["http://a.b/"], "an array"],
  [{}, "an object"],
  [new URL("http://a.b/"), "an object"],
  [{ ...parsed, host: undefined }, "an object"],
  [{ ...parsed, hostType: "name" }, "an object"],
  [{ ...parsed, path: null }, "an object"],
  [{ ...parsed, query: 1 }, "an object"],
])("a TypeError for %o", (url, kind) => {
  const error = new TypeError(`url must be a string, a Uint8Array or a CanonicalUrl, not ${kind}`);
  expect(() => expressions(url as never)).toThrow(error);
  expect(() => exactExpression(url as never)).toThrow(error);
});
