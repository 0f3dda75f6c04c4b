import { readFileSync } from "node:fs";
import { readUrl } from "@x/canon/readings";
import { DEFANGED_URLS, foreignLine, listSourceReader, refang } from "@x/list-source";
import { webUrl } from "@x/test-support/generated-text";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

interface Vector {
  readonly input: string;
  readonly expected: string;
}

const { cases: VECTORS } = JSON.parse(
  readFileSync(new URL("../../canon/test/vectors/refang.json", import.meta.url), "utf8"),
) as { readonly cases: readonly Vector[] };
const encoder = new TextEncoder();
const lookOf = (line: string) => foreignLine(encoder.encode(line))?.code ?? null;

test("every form that is turned back is also recognized, as a line and as typed text", () => {
  const defanged = VECTORS.filter(({ input, expected }) => input !== expected);
  expect(defanged.length).toBeGreaterThan(25);
  for (const { input } of defanged) {
    expect([input, lookOf(input)]).toEqual([input, "defanged"]);
    expect([input, foreignLine(input)?.code]).toEqual([input, "defanged"]);
  }
});

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/);
const host = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(label, { minLength: 2, maxLength: 5 }).map((all) => all.join(".")),
  },
  { weight: 1, arbitrary: fc.ipV4() },
  { weight: 1, arbitrary: fc.ipV6().map((address) => `[${address}]`) },
);
const path = fc.stringMatching(
  /^(\/[\w.~!$&'()*+,;=:@%-]{0,6}){0,4}(\?[\w.=&/-]{0,8})?(#[\w-]{0,4})?$/,
);
const port = fc.constantFrom("", ":80", ":8080");
const url = fc
  .record({ scheme: fc.constantFrom("http://", "https://", "ftp://", ""), host, port, path })
  .map((parts) => ({ ...parts, text: parts.scheme + parts.host + parts.port + parts.path }));

const brackets = fc.constantFrom(["[", "]"], ["(", ")"], ["{", "}"]);

test("refanging a defanged URL gives the URL back", () => {
  const forms = fc.record({
    scheme: fc.constantFrom("hxxp", "hXXp", "h**p", "h__p"),
    brackets,
    dot: fc.constantFrom(".", "dot", "DOT"),
    colon: fc.constantFrom("whole", "colon", "none"),
  });
  fc.assert(
    fc.property(
      url,
      forms,
      ({ scheme, host, port, path }, { brackets: [open, close], ...form }) => {
        const separator = { whole: `${open}://${close}`, colon: `${open}:${close}//`, none: "://" };
        const start = scheme.replace(/^http/, form.scheme).replace("://", separator[form.colon]);
        const isAddress = host.startsWith("[");
        const hidden = isAddress ? host : host.replaceAll(".", open + form.dot + close);
        const defanged = start + hidden + port.replace(":", `${open}:${close}`) + path;
        const meant = scheme + host + port + path;
        expect(refang(defanged)).toBe(meant);
        if (defanged !== meant) expect(lookOf(defanged)).toBe("defanged");
      },
    ),
    { seed: 20261123, numRuns: sampleSize(3000) },
  );
});

const UNKNOWN_FORMS = {
  scheme: [
    ...[
      "http",
      "https",
      "hxxp",
      "hXXps",
      "h**p",
      "h__p",
      "htxp",
      "h--ps",
      "hxxxp",
      "[http]",
      "(https)",
      "http[s]",
    ],
    ...["h[tt]p", "meow", "{hxxp}", "[hxxp", "h x x p", "xxp", "hxxp.", "http_", "<http>"],
  ],
  separator: [
    ...[
      "://",
      ":// ",
      " ://",
      ": //",
      "[:]//",
      "[://]",
      ":[//]",
      "[:][/][/]",
      "[:/]/",
      "__",
      "_://",
      "//",
      "\\\\",
    ],
    ...[
      ":\\\\",
      ":/",
      ":",
      ":///",
      "\uff1a//",
      "\uff1a\uff0f\uff0f",
      ";//",
      ".//",
      " [ : ] / / ",
      "::/",
      "[:]//[/]",
    ],
  ],
  dot: [
    ...[
      ".",
      "[.]",
      "(.)",
      "{.}",
      "<.>",
      "[dot]",
      "(DOT)",
      " dot ",
      "[.",
      ".]",
      "(.",
      ".)",
      " .",
      ". ",
      " . ",
      "[ . ]",
    ],
    ...[
      " [.] ",
      "[[.]]",
      "\\.",
      "\uff0e",
      "[\u3002]",
      "\u3010.\u3011",
      "[dot",

      "[,]",
      "[d0t]",
      "..",
      "[..]",
      "%5B.%5D",
    ],
  ],
  end: [
    "",
    "/",
    "/x",
    "[/]x",
    " /x",
    "[:]80/",
    ":80[/]",
    ">",
    "]",
    '"',
    ")",
    "\u201d",
    "&sp",
    " ",
    "/ x",
    "\\x",
  ],
};

/** Whether a text is refused, or both its readings have the host. */
function isRefusedOrNames(text: string, host: string): boolean {
  const { specification, browser, problem } = readUrl(text);
  const hosts = [specification, browser].flatMap((url) => url?.host ?? []);
  return foreignLine(text) !== null || problem !== null || hosts.includes(host);
}

test("whatever is defanged is turned back as a whole, or refused, in any combination of forms", {
  tags: "deep",
}, () => {
  const forms = fc.record({
    scheme: fc.constantFrom("", ...UNKNOWN_FORMS.scheme),
    separator: fc.constantFrom(...UNKNOWN_FORMS.separator),
    dots: fc.tuple(
      fc.constantFrom(...UNKNOWN_FORMS.dot),
      fc.constantFrom(".", ...UNKNOWN_FORMS.dot),
    ),
    end: fc.constantFrom(...UNKNOWN_FORMS.end),
  });
  const seen = { turnedBack: 0, refused: 0 };
  fc.assert(
    fc.property(forms, ({ scheme, separator, dots: [first, second], end }) => {
      const start = scheme === "" ? "" : scheme + separator;
      const text = `${start}login${first}evil${second}example${end}`;
      const url = refang(text);
      expect(refang(url)).toBe(url);
      for (const each of [text, url]) {
        expect([each, isRefusedOrNames(each, "login.evil.example")]).toEqual([each, true]);
      }
      if (foreignLine(url) !== null || readUrl(url).problem !== null) {
        seen.refused++;
        return;
      }
      const { specification, browser } = readUrl(url);
      expect((browser ?? specification)?.host).toBe("login.evil.example");
      seen.turnedBack++;
    }),
    { seed: 20261127, numRuns: sampleSize(20_000) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(fewest(1000));
});

test("a text that is not defanged is never changed", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        url.map(({ text }) => text),
        webUrl,
        fc.string(),
      ),
      (text) => {
        if (refang(text) === text) return;
        expect(lookOf(text)).not.toBeNull();
      },
    ),
    { seed: 20261123, numRuns: sampleSize(3000) },
  );
  fc.assert(
    fc.property(url, ({ text }) => {
      expect(refang(text)).toBe(text);
    }),
    { seed: 20261123, numRuns: sampleSize(3000) },
  );
});

describe("typed text", () => {
  test.each([
    ["hxxps://login[.]azukishop[.]live/wallet", "defanged"],
    ["http://evil[.]example\\.a/", "defanged"],
    ["asdf qwer", "space"],
    ["0.0.0.0 evil.example", "hosts-line"],
    ["http://a.example/\nhttp://b.example/", "url-unclear"],
    ["http://evil.example,http://good.example", "host-invalid"],
    ["http://evil.example/;http://good.example/", "url-unclear"],
    ["http://https://evil.example/", "host-invalid"],
    ["http://http//evil.example/", "host-invalid"],
    ["https:https://evil.example/", "host-invalid"],
    ["http://hxxp//evil.example/", "host-invalid"],
    ["https://evil.examplehttps://evil.example/", "url-unclear"],
    ["https://evil.example/https://evil.example/", null],
    ["https://httpd.example/", null],
    ["http://evil.example;good", null],
    ["http://evil.example/<b>", null],
    ["http://evil.example\\.good.example/", null],
    ["http://www.google.com/foo\tbar\rbaz\n2", null],
    ["evil.example", null],
    ["urn:isbn:0451450523", null],
  ])("foreignLine: %j is %j", (text, code) => {
    expect(foreignLine(text)?.code ?? null).toBe(code);
  });

  test("anything but a string is a TypeError", () => {
    for (const verb of [refang]) {
      expect(() => verb(new Uint8Array() as never)).toThrow(TypeError);
    }
  });
});

describe("lists", () => {
  const read = (text: string, isRefanged: boolean) => {
    const entries: (string | null)[] = [];
    const texts: (string | null)[] = [];
    const refused: string[] = [];
    const reader = listSourceReader({
      refang: isRefanged,
      where: "all",
      ...(text.includes("url") ? { column: "url" } : {}),
      onEntry: ({ expression, text }) => {
        entries.push(expression);
        texts.push(text);
      },
      onRefusal: ({ code }) => refused.push(code),
    });
    reader.push(encoder.encode(text));
    const { format } = reader.end().recognition;
    return { entries, texts, refused, format };
  };

  test.each([
    ["urls", "hxxp://evil[.]example/a\nhxxps://bad[.]example/\n"],
    ["hosts", "0.0.0.0 evil[.]example\n0.0.0.0 bad[.]example\n"],
    ["csv", "id,url\n1,hxxp://evil[.]example/a\n2,hxxps://bad[.]example/\n"],
    ["json-lines", '{"url":"hxxp://evil[.]example/a"}\n{"url":"hxxps://bad[.]example/"}\n'],
  ])("%s", (format, text) => {
    const found = read(text, true);
    expect(found.format).toBe(format);
    expect(found.refused).toEqual([]);
    expect(found.entries[0]).toMatch(/^evil\.example\//);
    expect(found.entries[1]).toBe("bad.example/");
    expect(found.texts[1]).toContain("bad[.]example");
  });

  test("without the option, nothing is turned back", () => {
    expect(() => read("hxxp://evil[.]example/a\n", false)).toThrow(DEFANGED_URLS);
    expect(read("a.example\nb.example\nevil[.]example\n", false).refused).toEqual(["defanged"]);
  });
});
