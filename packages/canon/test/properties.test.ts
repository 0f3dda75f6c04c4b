import { runInNewContext } from "node:vm";
import { CanonError, canonicalize, explainCanonicalization, parseUrl, tryParseUrl } from "@x/canon";
import { browserHref, tryParseUrlAsBrowser } from "@x/canon/browser";
import { anyCharacter } from "@x/test-support/generated-text";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateInput, seededRandom } from "./generate.ts";
import { unescapeInPasses } from "./oracle.ts";

fc.configureGlobal({ seed: 20_240_607, numRuns: sampleSize(3000) });

/** Texts and bytes from the grammar in `generate.ts`. Shrinking changes the seed. */
const generated = fc.nat(2 ** 31 - 1).map((seed) => generateInput(seededRandom(seed)));
const anyText = fc.string({ unit: anyCharacter });
const anyCodeUnits = fc
  .array(fc.nat(0xffff))
  .map((units) => units.map((unit) => String.fromCharCode(unit)).join(""));
/** Texts made of the characters that the rules treat specially. */
const hostileText = fc.string({
  unit: fc.constantFrom(..."/.:@?#%25eE[]\\ \t01x-a\u0080\u3002\u00e9"),
});
const anyInput = fc.oneof(
  generated,
  anyText,
  anyCodeUnits,
  hostileText,
  fc.uint8Array(),
  hostileText.map((text) => `http://${text}`),
);

const utf8 = (text: string) => new TextEncoder().encode(text);

/** The inputs that are URLs, each with the parsed URL. */
function urls(inputs: fc.Arbitrary<string | Uint8Array>) {
  return inputs
    .map((input) => ({ input, url: tryParseUrl(input) }))
    .filter((sample) => sample.url !== null)
    .map(({ input, url }) => ({ input, url: url! }));
}

describe("errors", () => {
  test("every function throws only CanonError, for the same inputs", () => {
    const codes = new Set<string>();
    fc.assert(
      fc.property(anyInput, (input) => {
        const url = tryParseUrl(input);
        for (const run of [parseUrl, canonicalize, explainCanonicalization]) {
          try {
            run(input);
            expect(url).not.toBeNull();
          } catch (error) {
            expect(url).toBeNull();
            expect(error).toBeInstanceOf(CanonError);
            const { name, code, index, section, message } = error as CanonError;
            expect((error as CanonError).input).toBe(input);
            expect(name).toBe("CanonError");
            expect(section).not.toBe("");
            // The message is one sentence on one line, whatever the input contains.
            expect(message).toMatch(/^"[^\p{C}\p{Zl}\p{Zp}]*\.$/u);
            if (index !== null) expect(index).toBeLessThanOrEqual(input.length);
            codes.add(code);
          }
        }
      }),
    );
    expect([...codes].sort()).toEqual(["authority-missing", "host-missing", "lone-surrogate"]);
  });

  test("the error has the index of the lone surrogate", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0xd800, max: 0xdfff }), anyText, (a, code, b) => {
        const input = `${a} ${String.fromCharCode(code)} ${b}`;
        expect(() => parseUrl(input)).toThrow(
          expect.objectContaining({ code: "lone-surrogate", index: a.length + 1 }),
        );
      }),
    );
  });

  test("accepts a Uint8Array of another realm, such as a frame or a test runner", () => {
    const octets: Uint8Array = runInNewContext("Uint8Array.of(0x61, 0x2e, 0x62)");
    expect(octets instanceof Uint8Array).toBe(false);
    expect(canonicalize(octets)).toBe("http://a.b/");
    expect(explainCanonicalization(octets).at(-1)!.text).toBe("http://a.b/");
  });

  test.each([
    ...[undefined, null, 1, {}, [], [0x61], new URL("http://a/"), new ArrayBuffer(1)],
    ...[new Uint16Array([0x61]), new Uint8ClampedArray([0x61]), new DataView(new ArrayBuffer(1))],
  ])("a TypeError for %s", (input) => {
    for (const run of [parseUrl, tryParseUrl, canonicalize, explainCanonicalization]) {
      expect(() => run(input as never)).toThrow(TypeError);
      expect(() => run(input as never)).toThrow(
        /^url must be a string or a Uint8Array, not (undefined|null|a number|an array|an object)$/,
      );
    }
  });
});

describe("a Uint8Array whose bytes are gone", () => {
  const detached = new Uint8Array(8);
  structuredClone(detached, { transfer: [detached.buffer] });

  test.each([
    parseUrl,
    tryParseUrl,
    canonicalize,
    explainCanonicalization,
    tryParseUrlAsBrowser,
    browserHref,
  ])("throws a TypeError: %s", (run) => {
    const error = new TypeError("url must not be a Uint8Array whose buffer is detached");
    expect(() => run(detached)).toThrow(error);
  });

  test("is not the same as an empty one", () => {
    expect(tryParseUrl(new Uint8Array())).toBeNull();
    expect(tryParseUrlAsBrowser(new Uint8Array())).toBeNull();
  });
});

describe("the canonical URL", () => {
  test("canonicalizes to itself", () => {
    fc.assert(
      fc.property(urls(anyInput), ({ url }) => {
        expect(parseUrl(url.href)).toEqual(url);
        expect(parseUrl(utf8(url.href))).toEqual(url);
      }),
    );
  });

  test("is printable ASCII without spaces and `#`, escaped in upper case", () => {
    let escapes = 0;
    fc.assert(
      fc.property(urls(anyInput), ({ url }) => {
        expect(url.href).toMatch(/^(?:[!"$&-~]|%[0-9A-F]{2})+$/);
        for (const [, hex] of url.href.matchAll(/%(..)/g)) {
          const octet = Number.parseInt(hex!, 16);
          expect(octet <= 0x20 || octet >= 0x7f || octet === 0x23 || octet === 0x25).toBe(true);
          escapes++;
        }
      }),
    );
    expect(escapes).toBeGreaterThan(fewest(1000));
  });

  test("consists of its fields", () => {
    const hostTypes = new Set<string>();
    fc.assert(
      fc.property(urls(anyInput), ({ url }) => {
        const { scheme, host, hostType, path, query, href } = url;
        expect(`${scheme}://${host}${path}${query === null ? "" : `?${query}`}`).toBe(href);
        expect(scheme).toMatch(/^[a-z][a-z0-9+.-]*$/);
        expect(host.replace(/%[0-9A-F]{2}/g, "")).toMatch(/^[^/?@A-Z]*$/);
        expect(host).not.toMatch(/^\.|\.\.|\.$/);
        expect(path).toMatch(/^\/[^?]*$/);
        expect(path).not.toMatch(/\/\/|\/\.\.?(?:\/|$)/);
        if (hostType === "ipv4") expect(host).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
        if (hostType === "ipv6") expect(host).toMatch(/^\[[0-9a-f:]+\]$/);
        hostTypes.add(hostType);
      }),
      { numRuns: sampleSize(30_000) },
    );
    expect([...hostTypes].sort()).toEqual(["domain", "ipv4", "ipv6"]);
  });

  test("is the same for a text and its UTF-8 bytes, except for raw C1 controls in the host", () => {
    const isText = (input: string | Uint8Array): input is string => typeof input === "string";
    let c1 = 0;
    fc.assert(
      fc.property(
        anyInput.filter(isText).filter((text) => !/\p{Cs}/u.test(text)),
        (text) => {
          const fromText = tryParseUrl(text);
          const fromOctets = tryParseUrl(utf8(text));
          if (!/[\u0080-\u009f]/.test(text)) {
            expect(fromText).toEqual(fromOctets);
          } else {
            c1++;
            // Only the host can differ.
            expect(fromText?.scheme).toBe(fromOctets?.scheme);
            expect(fromText?.path).toBe(fromOctets?.path);
            expect(fromText?.query).toBe(fromOctets?.query);
          }
        },
      ),
    );
    expect(c1).toBeGreaterThan(fewest(100));
  });

  test("does not depend on user, port, fragment, blanks or more escapes", () => {
    fc.assert(
      fc.property(urls(anyInput), fc.nat(65535), hostileText, ({ url }, port, text) => {
        const rest = url.path + (url.query === null ? "" : `?${url.query}`);
        const user = text.replace(/[/?#\t]|%/g, "");
        const all = `${url.scheme}://${user}@${url.host}:${port}${rest}`;
        // A bracket that is never closed hides the port.
        if (!/^\[[^\]]*$/.test(url.host)) expect(parseUrl(all)).toEqual(url);
        expect(parseUrl(` \t${url.href}\r\n#${text}`)).toEqual(url);
        expect(parseUrl(url.href.replace(/[^\t\r\n]/g, escapeOnce))).toEqual(url);
        expect(parseUrl(url.href.replaceAll("%", "%2525"))).toEqual(url);
      }),
    );
  });
});

function escapeOnce(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

test("one scan unescapes as much as repeated passes do", () => {
  let nested = 0;
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(..."%%%%%2235014cCfFgG", "%25", "%%32%35", "%2525", "%41")),
      (pieces) => {
        const text = pieces.join("");
        const unescaped = unescapeInPasses(text);
        if (/%25[0-9a-f]{2}/i.test(text)) nested++;
        const { query } = parseUrl(`http://a/?${text}`);
        expect(query).toBe(unescaped.replace(/[^!-~]|[#%]/g, (c) => escapeOnce(c).toUpperCase()));
      },
    ),
  );
  expect(nested).toBeGreaterThan(fewest(500));
});

describe("explainCanonicalization", () => {
  /** The steps in order, and the sections that require them. */
  const STEPS = [
    ["remove-tab-cr-lf", "Canonicalization, first"],
    ["trim-spaces", "Canonicalization, first"],
    ["remove-fragment", "Canonicalization, second"],
    ["unescape", "Canonicalization, third"],
    ["split", "To canonicalize the hostname"],
    ["drop-userinfo", "Suffix/prefix expressions"],
    ["drop-port", "Suffix/prefix expressions"],
    ["idn-to-ascii", "Canonicalization"],
    ["trim-dots", "To canonicalize the hostname, 1"],
    ["collapse-dots", "To canonicalize the hostname, 2"],
    ["normalize-ip-address", "To canonicalize the hostname, 3"],
    ["lower-case-host", "To canonicalize the hostname, 4"],
    ["resolve-dot-segments", "To canonicalize the path, 1"],
    ["collapse-slashes", "To canonicalize the path, 2"],
    ["escape", "To canonicalize the path, last paragraph"],
  ].map(([step, section]) => [step, `Web Risk, Hashing URLs, ${section}`]);

  test("returns every step in the same order, and ends in the canonical URL", () => {
    const changed = new Set<string>();
    fc.assert(
      fc.property(urls(anyInput), ({ input, url }) => {
        const steps = explainCanonicalization(input);
        expect(steps.map(({ step, section }) => [step, section])).toEqual(STEPS);
        expect(steps.at(-1)!.text).toBe(url.href);
        for (const { step, changed: isChanged } of steps) if (isChanged) changed.add(step);
      }),
    );
    expect([...changed].sort()).toEqual(STEPS.map(([step]) => step).sort());
  });

  test("reports a step as changed exactly when it changed something", () => {
    fc.assert(
      fc.property(urls(anyInput), ({ input }) => {
        if (typeof input !== "string") return;
        let before = input;
        for (const { text, changed } of explainCanonicalization(input)) {
          expect(changed).toBe(text !== before);
          before = text;
        }
      }),
    );
  });

  test("changes nothing in a canonical URL, except for unescaping and escaping again", () => {
    fc.assert(
      fc.property(urls(anyInput), ({ url }) => {
        const changed = explainCanonicalization(url.href)
          .filter((step) => step.changed)
          .map(({ step }) => step);
        expect(changed).toEqual(url.href.includes("%") ? ["unescape", "escape"] : []);
      }),
    );
  });

  test.each([
    // The first and last characters of each length, and both sides of the surrogates (RFC 3629 §4).
    [[0xc2, 0xa1], "\u00a1"],
    [[0xdf, 0xbf], "\u07ff"],
    [[0xe0, 0xa0, 0x80], "\u0800"],
    [[0xed, 0x9f, 0xbf], "\ud7ff"],
    [[0xee, 0x80, 0x80], "\ue000"],
    [[0xef, 0xbf, 0xbf], "\uffff"],
    [[0xf0, 0x90, 0x80, 0x80], "\u{10000}"],
    [[0xf3, 0x8f, 0xbf, 0xbf], "\u{cffff}"],
    [[0xf4, 0x8f, 0xbf, 0xbf], "\u{10ffff}"],
    // Bytes that are not UTF-8: overlong forms, a surrogate, a code point above U+10FFFF, a character that is cut
    // short, and a byte without a first byte.
    [[0xc1, 0xbf], "\u00c1\u00bf"],
    [[0xe0, 0x9f, 0xbf], "\u00e0\u009f\u00bf"],
    [[0xed, 0xa0, 0x80], "\u00ed\u00a0\u0080"],
    [[0xf0, 0x8f, 0xbf, 0xbf], "\u00f0\u008f\u00bf\u00bf"],
    [[0xf4, 0x90, 0x80, 0x80], "\u00f4\u0090\u0080\u0080"],
    [[0xe4, 0xb8], "\u00e4\u00b8"],
    [[0x80], "\u0080"],
  ])("shows %j among bytes that are not all UTF-8 as %j", (octets, shown) => {
    const url = Uint8Array.of(...new TextEncoder().encode("http://a/"), ...octets, 0xff);
    expect(explainCanonicalization(url)[0]!.text).toBe(`http://a/${shown}\u00ff`);
  });

  test("shows each step of one URL", () => {
    const steps = explainCanonicalization(
      " HT\tTP://u:p@.B\u00fccher..%2545xample.:80/a/./b/..//c%20#d",
    );
    expect(steps.filter((step) => step.changed).map(({ step, text }) => [step, text])).toEqual([
      ["remove-tab-cr-lf", " HTTP://u:p@.B\u00fccher..%2545xample.:80/a/./b/..//c%20#d"],
      ["trim-spaces", "HTTP://u:p@.B\u00fccher..%2545xample.:80/a/./b/..//c%20#d"],
      ["remove-fragment", "HTTP://u:p@.B\u00fccher..%2545xample.:80/a/./b/..//c%20"],
      ["unescape", "HTTP://u:p@.B\u00fccher..Example.:80/a/./b/..//c "],
      ["split", "http://u:p@.B\u00fccher..Example.:80/a/./b/..//c "],
      ["drop-userinfo", "http://.B\u00fccher..Example.:80/a/./b/..//c "],
      ["drop-port", "http://.B\u00fccher..Example./a/./b/..//c "],
      ["idn-to-ascii", "http://xn--bcher-kva.example/a/./b/..//c "],
      ["resolve-dot-segments", "http://xn--bcher-kva.example/a//c "],
      ["collapse-slashes", "http://xn--bcher-kva.example/a/c "],
      ["escape", "http://xn--bcher-kva.example/a/c%20"],
    ]);
  });
});
