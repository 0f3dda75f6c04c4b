import { foreignSource } from "@x/list-source";
import { describe, expect, test } from "vitest";
import { type ReadOptions, readText } from "./read.ts";

function entriesOf(text: string, options?: ReadOptions): readonly string[] {
  const { events } = readText(text, options);
  return events.filter((event) => /^\d+: /.test(event)).map((event) => event.replace(/^.*: /, ""));
}

test.each(["[allow]", "[Allowed Domains]", "[[rules]]", "[块]"])(
  "a list of names with the section %s is refused: nothing says what a section means",
  (section) => {
    for (const format of ["urls", "domains", undefined] as const) {
      const list = `evil.example\n${section}\ngood.example\n`;
      const { events, error } = readText(list, { format });
      expect(events).not.toContain("3: good.example/");
      expect(error).toBe("foreign-format");
    }
  },
);

test.each(["// see", "; see", "-- not", "(was", "<-", "CNAME", "clone of"])(
  "a host after %s in a hosts file belongs to a remark",
  (remark) => {
    const list = `0.0.0.0 evil.example ${remark} good.example\n0.0.0.0 bad.example www.bad.example\n`;
    expect(readText(list).events).toEqual([
      "1: evil.example/",
      "1+1 refused host-expected",
      "2: bad.example/",
      "2: www.bad.example/",
    ]);
  },
);

test("a row of a table is not its header, even if it has the word of a column", () => {
  for (const table of [
    "1,evil.example,domain\n2,bad.example,url\n",
    "a,evil.example,Domain,high\nb,http://bad.example/,URL,high\n",
    "evil.unusual;host;x\nbad.unusual;host;y\n",
    "2026-11-27\tdomain\tsomething\n2026-11-28\tdomain\tsomething\n",
  ]) {
    expect(readText(table)).toMatchObject({ events: [], error: "column-missing" });
  }
  const table = "threat.indicator,host.name,domain\nx,sensor,evil.example\n";
  expect(entriesOf(table, { column: "domain" })).toEqual(["evil.example/"]);
});

test("names with comments after them are a list of names", () => {
  const list = "evil.example # phishing\nhttp://bad.example/a # seen today\n";
  expect(readText(list).events).toEqual(["1: evil.example/", "2: bad.example/a"]);
});

test("a mark before a name excludes it, also before a wildcard or a dot", () => {
  for (const mark of ["!", "!.", "!*.", "-.", "-*.", "~."]) {
    const { events } = readText(`evil.example\n${mark}good.example\n`, { format: "urls" });
    expect(events, mark).toEqual(["1: evil.example/", "2+1 refused exception"]);
  }
});

test.each(["all,~document", "doc,~doc", "~document,important,all"])(
  "an Adblock rule with $%s blocks nobody who opens a page",
  (options) => {
    const { events, summary } = readText(`||evil.example^\n||good.example^$${options}\n`);
    expect(events).toEqual(["1: evil.example/"]);
    expect(summary).toMatchObject({ notApplicable: 1 });
  },
);

test("addresses of the machine itself are no names in a hosts file", () => {
  const { events } = readText("127.0.0.1 127.0.0.1 evil.example\n0.0.0.0 127.0.0.1\n", {
    format: "hosts",
  });
  expect(events).toEqual(["1: evil.example/"]);
});

test("a host in brackets is no header of an Adblock list", () => {
  const list =
    "[Adblock Plus 2.0]\n||evil.example^\n[ads.bad.example]\n[uBlock Origin 1.2.rc3]\n[Rules]\n";
  expect(readText(list, { format: "adblock" }).events).toEqual([
    "2: evil.example/",
    "3+1 refused host-character",
  ]);
});

describe("rules of AdGuard", () => {
  test.each([
    ["NXDOMAIN", true],
    ["refused", true],
    ["0.0.0.0", true],
    ["::", true],
    ["NOERROR;A;0.0.0.0", true],
    ["192.0.2.1", false],
    ["NOERROR;A;192.0.2.1", false],
    ["other.example", false],
    ["", false],
    ["NXDOMAIN,client=192.0.2.1", false],
  ])("dnsrewrite=%s blocks: %s", (answer, blocks) => {
    const rule = `||evil.example^$dnsrewrite=${answer}\n`;
    expect(entriesOf(rule, { format: "adblock" })).toEqual(blocks ? ["evil.example/"] : []);
  });

  test("a hint before a rule limits it to some clients", () => {
    const list =
      "||evil.example^\n!+ NOT_OPTIMIZED PLATFORM(ext_ublock)\n||good.example^\n||bad.example^\n!+ NOT_OPTIMIZED\n||worse.example^\n";
    expect(readText(list)).toMatchObject({
      events: ["1: evil.example/", "3+1 refused directive", "4: bad.example/", "6: worse.example/"],
      summary: { notApplicable: 0 },
    });
  });
});

test("a Privoxy action file is refused, wherever its sections begin", { tags: "deep" }, () => {
  for (const section of ["{-block}", "{ -block }", "{+block{Ads}}", "{{alias}}", "{ fragile }"]) {
    const file = `${section}\n.good.example\n`;
    expect(readText(file)).toMatchObject({ events: [], error: "foreign-format" });
    for (const format of ["urls", "domains"] as const) {
      expect(readText(file, { format })).toMatchObject({ events: [], error: "foreign-format" });
    }
    const long = `${"evil.example\n".repeat(10_000)}${file}`;
    expect(readText(long).error).toBe("foreign-format");
    expect(entriesOf(long)).not.toContain("good.example/");
  }
});

test("lines of URLs are not taken for another file because of a single line", () => {
  const urls = new TextEncoder().encode("http://a.example/\n{-x}\nhttp://b.example/\n");
  expect(foreignSource(urls)).toBe(null);
});

test("hashes of files are not read as hashes of URLs, unless someone says so", () => {
  const hash = "a1".repeat(32);
  const list = `${hash}\n${hash}\n`;
  expect(readText(list).error).toBe("hash-unclear");
  expect(readText(`# SHA-256 hashes of URLs\n${list}`).error).toBe("hash-unclear");
  expect(readText(list, { format: "hex" }).events).toEqual([`1: ${hash}`, `2: ${hash}`]);
});

test("tables with a line for Excel, a delimiter at the end, or an empty last column", () => {
  const entries = ["evil.example/", "bad.example/"];
  for (const table of [
    "sep=;\nurl;note\nevil.example;x\nbad.example;y\n",
    '"sep=;"\r\nurl;note\r\nevil.example;x\r\nbad.example;y\r\n',
    "\ufeffsep=\t\nurl\tnote\nevil.example\tx\nbad.example\t\n",
    "sep=|\nnote|url\nx|evil.example\n|bad.example\n",
    "url;note;\nevil.example;x;\nbad.example;;\n",
    "url;note\nevil.example;x;\nbad.example;y;\n",
    "url;note;\nevil.example;x\nbad.example;y\n",
    "id\turl\tend\n1\tevil.example\t\n2\tbad.example\t\n",
    "# id\turl\tend\n1\tevil.example\t\n2\tbad.example\t\n",
  ]) {
    expect(entriesOf(table, { column: "url" }), table).toEqual(entries);
  }
  expect(readText("url,note\nevil.example,x,y\n", { format: "csv", column: "url" }).events).toEqual(
    ["2+1 refused column-count"],
  );
});

test("a URL in an option of dnsmasq is refused as a whole", () => {
  const options = [
    "address=/evil.example/bad.example/0.0.0.0",
    "address=/http://worse.example/good.example/0.0.0.0",
    "server=/worse.example:80/good.example/",
    "local=/worse.example/../good.example/",
    "local=/worse.example/%2e/good.example/",
  ];
  expect(readText(`${options.join("\n")}\n`).events).toEqual([
    "1: evil.example/",
    "1: bad.example/",
    "2+1 refused host-expected",
    "3+1 refused host-expected",
    "4+1 refused host-expected",
    "5+1 refused host-expected",
  ]);
});

test.each([
  "javascript://good.example/%0aalert(1)",
  "data://good.example/,x",
  "about://good.example/",
  "chrome://good.example/",
  "mailto://user@good.example/",
])("%s leads to no site", (url) => {
  for (const source of [
    `http://evil.example/\n${url}\n`,
    `url,x\nhttp://evil.example/,1\n"${url}",1\n`,
  ]) {
    const { events } = readText(source, source.startsWith("url") ? { column: "url" } : {});
    expect(events).toEqual(
      ["1: evil.example/", "2+1 refused not-a-url"].map((event, i) =>
        source.startsWith("url") ? event.replace(/^\d/, String(i + 2)) : event,
      ),
    );
  }
  expect(readText(JSON.stringify(["http://evil.example/", url])).events.at(-1)).toMatch(
    /not-a-url$/,
  );
});

test("a first line that can only be the header of a list is skipped with a warning", () => {
  for (const first of ["url", "com", "Adressen"]) {
    const text = `# of today\n${first}\nhttp://evil.example/a\nbad.example\n`;
    const { events, summary } = readText(text, { isPublicSuffix: (host) => host === "com" });
    expect(events).toEqual(["2 warning header-skipped", "3: evil.example/a", "4: bad.example/"]);
    expect(summary).toMatchObject({ recognition: { format: "urls" }, refused: 0, warnings: 1 });
    expect(foreignSource(new TextEncoder().encode(text))).toBe(null);
  }
  expect(readText("a.example\nb.example\nurl\n").events[2]).toBe("3+1 refused host-single-label");
  // Other formats have no such header.
  expect(readText("url\n||evil.example^\n").error).toBe("format-unknown");
  // Nobody named the format of a list with a header.
  for (const format of ["urls", "domains"] as const) {
    expect(readText("url\nevil.example\n", { format }).events[0]).toBe(
      "1+1 refused host-single-label",
    );
  }
  // What may be an entry is one.
  const suffixes = { isPublicSuffix: (host: string) => host === "zip", allowBroad: true };
  expect(readText("zip\nevil.example\n", suffixes).events[0]).toBe("1: zip/");
  const table = '"url"\n"http://evil.example/a"\n"bad.example"\n';
  expect(entriesOf(table, { format: "csv", column: "url" })).toEqual([
    "evil.example/a",
    "bad.example/",
  ]);
});

test("a column given by its number has the header that the table has", () => {
  const table = "id,url,verdict\n1,http://evil.example/,bad\n2,http://good.example/,good\n";
  expect(readText(table, { column: 2 }).events).toEqual(["2: evil.example/", "3: good.example/"]);
  expect(readText(table, { column: 2, where: "verdict=bad" }).events).toEqual(["2: evil.example/"]);
  expect(readText(table, { column: 4 }).events).toEqual(
    [1, 2, 3].map((line) => `${line}+1 refused column-count`),
  );
  const withoutHeader = table.slice(table.indexOf("\n") + 1);
  expect(readText(withoutHeader, { column: 2 }).events).toHaveLength(2);
});
