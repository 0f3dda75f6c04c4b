import { listSourceReader, readListSource, recognizeSource, sourceProblem } from "@x/list-source";
import {
  diffPrefixLists,
  encodeDifference,
  encodePrefixList,
  prefixes,
  prefixList,
} from "@x/prefix-list";
import { fullHash, toHex } from "@x/sha256-prefix";
import { describe, expect, test } from "vitest";
import { readPieces, readText } from "./read.ts";

const list = prefixList(
  ["evil.example/", "bad.example/"].map((text) => fullHash(text)),
  { name: "x", created: 0, prefixBytes: 8 },
);
const file = encodePrefixList(list);

describe("prefix lists as sources", () => {
  test("their prefixes are entries", () => {
    const { events, summary } = readPieces([file]);
    expect(summary?.recognition?.format).toBe("prefix-list");
    expect(events).toEqual([...prefixes(list)].map((prefix, i) => `${i + 1}: ${toHex(prefix)}`));
  });

  test("a large one is kept until it is complete", () => {
    const hashes = Array.from({ length: 4000 }, (_, i) => fullHash(`${i}`));
    const large = encodePrefixList(prefixList(hashes));
    expect(large.length).toBeGreaterThan(100_000);
    const pieces = [
      large.subarray(0, 70_000),
      large.subarray(70_000, 90_000),
      large.subarray(90_000),
    ];
    expect(readPieces(pieces).summary?.entries).toBe(4000);
  });

  test("one that is larger than expected is not kept", () => {
    const pieces = [file, new Uint8Array(70_000), new Uint8Array(70_000)];
    expect(readPieces(pieces, { maxListBytes: 100_000 }).error).toBe("list-too-large");
    expect(readPieces(pieces.slice(0, 2), { maxListBytes: 100 }).error).toBe("list-too-large");
    expect(readPieces([file], { maxListBytes: file.length - 1 }).error).toBe("list-too-large");
    expect(readPieces([file], { maxListBytes: file.length }).error).toBeNull();
    const endless = Array.from({ length: 3 }, () => new Uint8Array(70_000));
    const named = { format: "prefix-list", maxListBytes: 100_000 } as const;
    expect(readPieces(endless, named).error).toBe("list-too-large");
  });

  test.each([Number.NaN, -1])("%s is not a limit", (maxListBytes) => {
    expect(() => readPieces([file], { maxListBytes })).toThrow(RangeError);
  });

  test("damaged lists and differences have their own errors", () => {
    expect(readPieces([file.subarray(0, -1)]).error).toBe("list-unreadable");
    const newer = prefixList([fullHash("evil.example/")], {
      name: "x",
      created: 1,
      prefixBytes: 8,
    });
    const difference = encodeDifference(diffPrefixLists(list, newer));
    expect(readPieces([difference]).error).toBe("difference-file");
    expect(readPieces([difference], { format: "prefix-list" }).error).toBe("list-unreadable");
    expect(readPieces([file], { format: "urls" }).error).toBe("binary");
    expect(readText("evil.example", { format: "prefix-list" }).error).toBe("list-unreadable");
  });
});

describe("lint", () => {
  test("entries as broad as a public suffix", () => {
    const isPublicSuffix = (host: string) => ["github.io", "co.uk"].includes(host);
    const isRegistrySuffix = (host: string) => host === "co.uk";
    const text = "github.io\nme.github.io\ngithub.io/x\nhttp://CO.UK:80/\nco.uk\nco.uk/x\n";
    const shared = ["1: github.io/", "1 warning public-suffix"];
    const others = ["2: me.github.io/", "3: github.io/x"];
    const suffix = ["4+1 refused public-suffix", "5+1 refused public-suffix", "6: co.uk/x"];
    const options = { format: "urls", isPublicSuffix } as const;
    expect(readText(text, { ...options, isRegistrySuffix }).events).toEqual([
      ...shared,
      ...others,
      ...suffix,
    ]);
    expect(readText(text, options).events).toEqual([
      "1+1 refused public-suffix",
      ...others,
      ...suffix,
    ]);
    const allowed = readText(text, { ...options, isRegistrySuffix, allowBroad: true });
    expect(allowed.events).toEqual([
      ...shared,
      ...others,
      "4: co.uk/",
      "4 warning port-dropped",
      "4 warning public-suffix",
      "5: co.uk/",
      "5 warning public-suffix",
      "6: co.uk/x",
    ]);
  });

  test("bare top-level domains are refused, unless broad entries are allowed", () => {
    const suffixes = { isPublicSuffix: (host: string) => ["com", "uk"].includes(host) };
    const text = "http://COM/\n.uk\nhttp://com/x\ncom/x\nhttp://intranet/\nintranet\na@com\n";
    const others = [
      "3: com/x",
      "4+1 refused host-single-label",
      "5: intranet/",
      "6+1 refused host-single-label",
      "7+1 refused email-address",
    ];
    expect(readText(text, { format: "urls", ...suffixes }).events).toEqual([
      "1+1 refused public-suffix",
      "2+1 refused public-suffix",
      ...others,
    ]);
    expect(readText(text, { format: "urls", allowBroad: true, ...suffixes }).events).toEqual([
      "1: com/",
      "1 warning public-suffix",
      "2: uk/",
      "2 warning public-suffix",
      ...others,
    ]);
  });

  test("only a warning that says little without the text of the entry quotes it", () => {
    const messages: string[] = [];
    const reader = listSourceReader({
      onEntry: () => {},
      onWarning: ({ message }) => messages.push(message),
    });
    reader.push(new TextEncoder().encode("http://evil.example/a...\nevil.example:8080\n"));
    reader.end();
    expect(messages).toEqual([
      'evil.example/a... was probably cut short: "http://evil.example/a..."',
      "evil.example/ covers the site on every port",
    ]);
  });

  test("entries that are too deep to cover anything below them", () => {
    const text = "a.b.c.evil.co.uk\na.b.c.d.evil.co.uk\nco.uk\n203.0.113.4\n203.0.113.4/1/2/3/4/\n";
    expect(readText(text).events.filter((event) => event.includes("warning"))).toEqual([
      "1 warning covers-nothing-below",
      "2 warning covers-nothing-below",
      "5 warning covers-nothing-below",
    ]);
  });
});

test.each([
  [
    "adblock",
    "||evil.example^\n||good.example^$third-party\nexample.com##.ad\n",
    ["2: ||good.example^$third-party", "3: example.com##.ad"],
  ],
  ["hosts", "127.0.0.1 localhost\n127.0.1.1 laptop\n0.0.0.0 evil.example\n", ["2: laptop"]],
  ["dnsmasq", "local=/evil.example/\nserver=192.0.2.1\n", ["2: server=192.0.2.1"]],
  [
    "rpz",
    "$TTL 300\n@ SOA a b 1 2 3 4 5\n NS a\nevil.example CNAME .\n1.0.0.127.rpz-ip CNAME .\n",
    ["5: 1.0.0.127.rpz-ip CNAME ."],
  ],
] as const)("parts of %s that do not stand for a URL are named", (format, text, expected) => {
  const parts: string[] = [];
  const { events, summary } = readText(text, {
    format,
    onNotApplicable: (part) => parts.push(`${part.line}: ${part.text}`),
  });
  expect(parts).toEqual(expected);
  expect([events.length, summary?.notApplicable]).toEqual([1, parts.length]);
});

describe("sourceProblem", () => {
  test("at most a tenth may be refused", () => {
    expect(sourceProblem({ entries: 9, refused: 1 })).toBeNull();
    expect(sourceProblem({ entries: 8, refused: 1 })).toEqual({
      code: "too-many-refused",
      message: "1 of 9 lines was refused; at most 10% may be.",
    });
    expect(sourceProblem({ entries: 8, refused: 1 }, { maxRefusedShare: 0.5 })).toBeNull();
    expect(
      sourceProblem({ entries: 1, refused: 1 }, { maxRefusedShare: 0.001 })?.message,
    ).toContain("0.1%");
    expect(sourceProblem({ entries: 0, refused: 3 }, { maxRefusedShare: 1 })?.code).toBe(
      "no-entries",
    );
  });

  test("a source must have entries, unless it may be empty", () => {
    expect(sourceProblem({ entries: 0, refused: 0 })?.code).toBe("no-entries");
    expect(sourceProblem({ entries: 0, refused: 0 }, { allowEmpty: true })).toBeNull();
    expect(sourceProblem({ entries: 0, refused: 1 }, { allowEmpty: true })?.code).toBe(
      "too-many-refused",
    );
  });

  test.each([-0.1, 1.1, Number.NaN])("%s is not a share", (maxRefusedShare) => {
    expect(() => sourceProblem({ entries: 1, refused: 0 }, { maxRefusedShare })).toThrow(
      RangeError,
    );
  });
});

describe("lines", () => {
  test("a line of 2 MiB is read; a longer one is refused, quoting its beginning", () => {
    const start = "evil.example/";
    const longest = start + "a".repeat(2 ** 21 - start.length);
    const text = `${longest}\n${longest}a\n${longest}aa\nevil.example\n${longest}${longest}`;
    const expected = [
      `1: ${longest}`,
      "2+1 refused line-too-long",
      "3+1 refused line-too-long",
      "4: evil.example/",
      "5+1 refused line-too-long",
    ];
    const bytes = new TextEncoder().encode(text);
    expect(readPieces([bytes]).events).toEqual(expected);
    const pieces = [];
    for (let i = 0; i < bytes.length; i += 100_003) pieces.push(bytes.subarray(i, i + 100_003));
    expect(readPieces(pieces).events).toEqual(expected);
  });

  test("an unreadable line ends a quoted field that is open", () => {
    const text = `id,url,${"comment".repeat(20)}\n1,a.example,"x\ny\u0001\n2,b.example,z\n`;
    expect(readText(text, { column: "url" }).events).toEqual([
      "2+1 refused quote-unclosed",
      "3+1 refused control-character",
      "4: b.example/",
    ]);
  });

  test("blank lines belong to a quoted field", () => {
    const text = 'url,comment\na.example,"x\n\ny"\n\nb.example,z\n';
    const { events } = readText(text, { column: "url" });
    expect(events).toEqual(["2: a.example/", "6: b.example/"]);
  });

  test("a quoted field that stays open for 64 KiB is refused, with all of its lines", () => {
    const rows = Array.from({ length: 7000 }, (_, i) => `${i},evil.example`);
    const { events, summary } = readText(`id,url\n"x\n${rows.join("\n")}\n`, {
      column: "url",
    });
    expect(events[0]).toMatch(/^2\+\d+ refused quote-unclosed$/);
    const lines = Number(/\+(\d+)/.exec(events[0]!)?.[1]);
    expect(events[1]).toBe(`${2 + lines}: evil.example/`);
    expect(summary!.entries + lines).toBe(7001);
    expect(sourceProblem(summary!)?.code).toBe("too-many-refused");
  });
});

describe("use", () => {
  const onEntry = () => {};

  test("readListSource reads chunks, reports progress and passes on errors", async () => {
    const chunks = async function* () {
      yield new TextEncoder().encode("evil.example\nbad.");
      yield new TextEncoder().encode("example\n");
    };
    const summary = await readListSource(chunks(), { onEntry });
    expect([summary.entries, summary.bytes]).toEqual([2, 25]);
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(1);
      throw new Error("disk");
    };
    await expect(readListSource(failing(), { onEntry })).rejects.toThrow("disk");
  });

  test("nothing can be pushed after the end of a source", () => {
    const reader = listSourceReader({ onEntry });
    reader.push(new TextEncoder().encode("evil.example"));
    const summary = reader.end();
    expect(reader.end()).toEqual(summary);
    expect(() => reader.push(new Uint8Array(1))).toThrow(TypeError);
  });

  test("wrong arguments are TypeErrors", () => {
    const text = (value: unknown) => value as never;
    expect(() => listSourceReader({ onEntry: text(undefined) })).toThrow(
      "onEntry must be a function",
    );
    expect(() => listSourceReader({ onEntry, format: text("excel") })).toThrow(
      /format must be one of urls, /,
    );
    expect(() => listSourceReader({ onEntry, format: text("toString") })).toThrow(TypeError);
    for (const column of [0, 1.5, "", null]) {
      expect(() => listSourceReader({ onEntry, column: text(column) })).toThrow("column must be");
    }
    expect(() => listSourceReader({ onEntry }).push(text("evil.example"))).toThrow(TypeError);
    expect(() => recognizeSource(text("evil.example"))).toThrow(TypeError);
  });

  test("a caller may reuse its buffer", () => {
    const hashes: string[] = [];
    const reader = listSourceReader({ onEntry: ({ expression }) => hashes.push(`${expression}`) });
    const buffer = new TextEncoder().encode("a.example\nb.exa");
    reader.push(buffer);
    buffer.fill(0x78);
    reader.push(new TextEncoder().encode("mple\n"));
    reader.end();
    expect(hashes).toEqual(["a.example/", "b.example/"]);
  });

  test("a refusal is printable and short", () => {
    const texts: string[] = [];
    const reader = listSourceReader({
      format: "urls",
      onEntry,
      onRefusal: ({ text }) => texts.push(text),
    });
    reader.push(new TextEncoder().encode(`${"x".repeat(200)}\nevil\u202e\u00a0.example\n`));
    reader.end();
    expect(texts).toEqual([`${"x".repeat(80)}…`, "evil\\u{202e}\\u{a0}.example"]);
  });
});

describe("exceptions in Adblock rules", () => {
  const rules = [
    "||evil.example^",
    "@@||good.evil.example^",
    "@@||evil.example/login^$document",
    "@@||cdn.example^$script",
    "@@/banner/",
    "@@||",
    "",
  ].join("\n");

  test("are refused unless somebody takes them", () => {
    const { events } = readText(rules, { format: "adblock" });
    expect(events.filter((event) => event.includes("exception"))).toHaveLength(5);
  });

  test("are reported with their lines, and are no entries", async () => {
    const exceptions: string[] = [];
    const refused: string[] = [];
    const summary = await readListSource([new TextEncoder().encode(rules)], {
      format: "adblock",
      onEntry: () => {},
      onException: ({ line, expression, hash }) => {
        expect(hash).toEqual(fullHash(expression!));
        exceptions.push(`${line}: ${expression}`);
      },
      onRefusal: ({ line, code }) => refused.push(`${line}: ${code}`),
    });
    expect(exceptions).toEqual([
      "2: good.evil.example/",
      "3: evil.example/login",
      "3: evil.example/login/",
    ]);
    // A rule for scripts alone says nothing about people who open the URL.
    expect(summary).toMatchObject({ entries: 1, refused: 2, notApplicable: 1 });
    expect(refused).toEqual(["5: pattern", "6: not-a-url"]);
  });

  test("one that may have lost its options is refused", async () => {
    const refused: string[] = [];
    await readListSource([new TextEncoder().encode("||a.example^$script\n@@||b.example^")], {
      format: "adblock",
      onEntry: () => {},
      onException: () => {},
      onRefusal: ({ line, code }) => refused.push(`${line}: ${code}`),
    });
    expect(refused).toEqual(["2: line-cut"]);
  });
});

describe("a long comment at the beginning", () => {
  const comment = "# comment, with a comma\n".repeat(5000);
  const read = (text: string, pieceBytes: number) => {
    const bytes = new TextEncoder().encode(text);
    const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, i) =>
      bytes.subarray(i * pieceBytes, (i + 1) * pieceBytes),
    );
    return readPieces(pieces, text.includes("id,url") ? { column: "url" } : {}).summary;
  };

  test.each([
    ["hosts", "0.0.0.0 evil.example\n"],
    ["adblock", "||evil.example^\n"],
    ["csv", "id,url\n1,http://evil.example/\n"],
    ["csv", "# id,url\n1,http://evil.example/\n"],
    ["urls", "evil.example\n"],
  ])("is skipped to recognize %s: %j", { tags: "deep" }, (format, text) => {
    for (const pieceBytes of [1000, 2 ** 16, 2 ** 22]) {
      const summary = read(comment + text, pieceBytes);
      expect(summary).toMatchObject({ recognition: { format }, entries: 1, refused: 0 });
    }
    const long = read(comment + text + comment.repeat(10), 1000);
    expect(long).toMatchObject({ recognition: { format }, entries: 1, refused: 0 });
  });

  test("is skipped up to 1 MiB", { tags: "deep" }, () => {
    for (const pieceBytes of [1000, 2 ** 22]) {
      const summary = read(`${comment.repeat(10)}0.0.0.0 evil.example\n`, pieceBytes);
      expect(summary).toMatchObject({ recognition: { format: "urls" }, entries: 0, refused: 1 });
    }
    expect(read(comment, 1000)).toMatchObject({ recognition: { format: "urls" }, refused: 0 });
    expect(read(`#${"x".repeat(2 ** 18)}`, 1000)).toMatchObject({
      recognition: { format: "urls" },
    });
  });
});
