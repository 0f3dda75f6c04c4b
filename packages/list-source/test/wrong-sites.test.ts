import { isPublicSuffix, isRegistrySuffix } from "@x/list-source/public-suffixes";
import { describe, expect, test } from "vitest";
import { readText } from "./read.ts";

/** The entry and warnings for a single URL, which might block a site that its publisher did not mean. */
const eventsOf = (line: string) =>
  readText(`${line}\n`, { format: "urls", isPublicSuffix }).events.map((event) =>
    event.replace(/^\d+(?:\+\d+)?:? /, ""),
  );

describe("what is on the machine of each reader gets a warning", () => {
  test.each([
    ["http://localhost/", "localhost/"],
    ["http://localhost:8080/dashboard", "localhost/dashboard"],
    ["https://LOCALHOST./x", "localhost/x"],
    ["http://app.localhost/", "app.localhost/"],
    ["app.localhost", "app.localhost/"],
    ["http://localhost.localdomain/", "localhost.localdomain/"],
    ["router.local", "router.local/"],
    ["nas.home.arpa", "nas.home.arpa/"],
    ["wiki.internal", "wiki.internal/"],
    ["http://[::1]/", "[::1]/"],
    ["http://[::ffff:127.0.0.1]/", "127.0.0.1/"],
    ["http://0x7f.1/", "127.0.0.1/"],
  ])("%s", (line, entry) => {
    const events = eventsOf(line);
    expect(events).toContain(entry);
    expect(events).toContain("warning local-address");
  });

  test.each([
    "http://notlocalhost.example/",
    "http://localhost.example/",
    "http://evillocal.example/",
    "http://evil.notlocal/",
    "http://home.arpa.example/",
  ])("but not %s", (line) => {
    expect(eventsOf(line)).not.toContain("warning local-address");
  });

  test("also in a hosts file", () => {
    expect(readText("0.0.0.0 evil.example\n0.0.0.0 app.localhost\n").events).toEqual([
      "1: evil.example/",
      "2: app.localhost/",
      "2 warning local-address",
    ]);
  });
});

test.each(["github.io", "http://github.io/", "0.0.0.0 github.io", "||github.io^", "*.github.io"])(
  "%s covers the sites of many owners",
  (line) => {
    const suffixes = { isPublicSuffix, isRegistrySuffix };
    expect(readText(`${line}\n`, suffixes).events).toEqual([
      "1: github.io/",
      "1 warning public-suffix",
    ]);
    const broad = line.replace("github.io", "co.uk");
    expect(readText(`${broad}\n`, suffixes).events).toEqual(["1+1 refused public-suffix"]);
    expect(readText(`${broad}\n`, { ...suffixes, allowBroad: true }).events).toEqual([
      "1: co.uk/",
      "1 warning public-suffix",
    ]);
  },
);

test.each([
  "http://shared.example/x/../",
  "http://shared.example/x/%2e%2e/",
  "shared.example/x/..",
  "http://shared.example/x/y/%2E./../?#",
])("%s is shorter than what was written", (line) => {
  const events = eventsOf(line);
  expect(events).toContain("shared.example/");
  expect(events).toContain("warning path-collapsed");
});

describe("a fragment", () => {
  const VIEWS = [
    "https://shared.example/#!abc",
    "https://shared.example/#/login",
    "https://shared.example/#victim@mail.example",
    "https://shared.example#x",
    "https://shared.example/?#x",
    "https://shared.example:8443/#x",
    "https://shared.example/a/../#x",
    "https://shared.example/%2e/#x",
    "https://shared.example/##",
    "https://shared.example/#é",
    "https://203.0.113.7/#x",
    "shared.example/#x",
    "shared.example#x",
    "//shared.example/#x",
  ];
  test.each(VIEWS)(
    "that is all after the host makes the entry a whole site, with a warning: %s",
    (url) => {
      const entry = url.includes("203.0.113.7") ? "203.0.113.7/" : "shared.example/";
      const warned = [entry, "warning fragment-of-site"];
      expect(eventsOf(url)).toEqual(expect.arrayContaining(warned));
      const record = `{"url":"${url}"}\n`;
      const inTables = [",", ";", "\t"].map((at) =>
        readText(`url${at}n\n${url}${at}1\n`, { column: "url" }),
      );
      for (const { events } of [
        ...inTables,
        readText(record, { format: "json-lines", column: "url" }),
      ]) {
        expect(events.join("\n")).toContain("fragment-of-site");
      }
    },
  );

  test.each([
    ["https://shared.example/#", "shared.example/"],
    ["https://shared.example/#/", "shared.example/"],
    ["https://shared.example/#!/", "shared.example/"],
    ["https://shared.example/#top", "shared.example/"],
    ["https://shared.example/?id=1#x", "shared.example/?id=1"],
    ["https://shared.example/a#x", "shared.example/a"],
    ["https://shared.example/kit/#x", "shared.example/kit/"],
    ["https://shared.example/%23x", "shared.example/%23x"],
  ])("leaves an entry that is not broader: %s", (url, entry) => {
    const warnings = url.includes("#") ? ["warning fragment-dropped"] : [];
    expect(eventsOf(url)).toEqual([entry, ...warnings]);
  });
});
