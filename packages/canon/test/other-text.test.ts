import { readUrl } from "@x/canon/readings";
import fc from "fast-check";
import { expect, test } from "vitest";

const problemOf = (text: string) => readUrl(text).problem?.code ?? null;

test.each([
  "hxxp://evil.example/",
  "hXXps://evil.example/a?b#c",
  "meow://evil.example",
  "fxp://evil.example/",
  "d41d8cd98f00b204e9800998ecf8427e",
  "deadbeef",
  "47DEQpj8HBSa/TImW5JCeuQeRkm5NMpJWZG3hSuFUab",
  "qrv/AAAA/w==",
  "good.example\nevil.example",
  "good.example\revil.example",
  "http://good.example/\thttp://evil.example/",
  "http://good.example/, http://evil.example/",
  "http://text-http://evil.example/",
  "\u00a0http://evil.example/",
])("%j is not clearly one URL", (text) => {
  expect(problemOf(text)).toBe("url-unclear");
});

test.each([
  "foo://evil.example/",
  "HTTP://good.example://(c)?a//b",
  "http://deadbeef/",
  "deadbeef/",
  "deadbeef.example",
  "1234567890",
  "https://archive.example/http://evil.example/",
  "http://evil.example/a:b//c",
  "http://user:pass@evil.example:80/",
  "http://evil.example/?a=,http://b.example/",
  "htp://evil.example/",
  "http://evil.example/\r\n",
])("%j is one URL", (text) => {
  expect(problemOf(text)).toBeNull();
});

test("URLs that the platform opens, without tabs and other URLs, are one URL", () => {
  const host = fc.stringMatching(/^[a-z0-9\u00df-\u00f6_-]{1,8}\.(?:com|example)$/);
  const rest = fc.string({ unit: fc.constantFrom(..."ab/?#:@,;|*[]{}<>\"'`^~!$&()+= %.\\\u00e9") });
  const scheme = fc.constantFrom("http", "https", "ftp", "ws", "WSS");
  let opened = 0;
  fc.assert(
    fc.property(scheme, host, rest, (start, name, path) => {
      const url = `${start}://${name}/${path}`;
      if (!URL.canParse(url) || /:[/\\]{2}/.test(path)) return;
      opened++;
      expect(problemOf(url), url).not.toBe("url-unclear");
    }),
    { seed: 57, numRuns: 500 },
  );
  expect(opened).toBeGreaterThan(300);
});
