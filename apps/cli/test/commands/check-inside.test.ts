import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { describe, expect, test } from "vitest";
import { run } from "../run.ts";
import { recordsIn, verdictIn } from "../verdicts.ts";

const folder = temporaryFolder();
const list = prefixList([fullHash("evil.example/")], { name: "evil", prefixBytes: 4 });
const EVIL = folder.write("evil", encodePrefixList(list));

const SAFE_LINK =
  "https://eur01.safelinks.protection.outlook.com/?url=http%3A%2F%2Fevil.example%2F&data=05";
const TWICE = `https://www.google.com/url?q=${encodeURIComponent(SAFE_LINK)}`;

describe("check", () => {
  test("a listed URL inside makes the URL listed, and says through what", async () => {
    expect(
      await run(["check", "--list", EVIL, SAFE_LINK, "http://a.example/?u=http://b.example/"]),
    ).toEqual({
      status: 1,
      stderr: "",
      stdout: `LISTED      ${SAFE_LINK}
            evil.example/ (f001957c) is on evil, inside the URL: http://evil.example/ (Outlook SafeLinks)
not listed  http://a.example/?u=http://b.example/
`,
    });
  });

  test("lines, and JSON with all wrappers", async () => {
    const stdin = `http://a.example/\n${TWICE}\nhttp://a.example/?u=http://evil.example/\n`;
    const ran = await run(["check", "--list", EVIL, "--ndjson"], { stdin });
    const records = ran.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(records.map(({ listed }) => listed)).toEqual([false, true, true]);
    expect(records[1].canonical).toMatch(/^https:\/\/www\.google\.com\/url\?q=https/);
    expect(records[1].matches[0]).toMatchObject({
      expression: "evil.example/",
      inner: {
        url: "http://evil.example/",
        wrapper: "Outlook SafeLinks",
        certainty: "certain",
        inside: { url: SAFE_LINK, wrapper: "Google", certainty: "certain", inside: null },
      },
    });
    expect(records[2].matches[0].inner).toMatchObject({ wrapper: null, certainty: "guess" });
    expect(ran.status).toBe(1);
  });

  test("what is not a URL, but has a listed one inside, is listed", async () => {
    const urls = ["view-source:http://evil.example/", "view-source:http://good.example/"];
    const ran = await run(["check", "--list", EVIL, "--json", ...urls]);
    const [evil, good] = JSON.parse(ran.stdout);
    expect(evil).toMatchObject({ listed: true, matches: [{ inner: { wrapper: "view-source" } }] });
    expect(evil).not.toHaveProperty("error");
    expect(good).toHaveProperty("error");
    expect(ran.status).toBe(5);
  });

  test.each(["text", "json", "ndjson"])(
    "--no-unwrap checks only the URL itself, in %s",
    async (format) => {
      const ran = await run([
        "check",
        "--list",
        EVIL,
        "--no-unwrap",
        ...(format === "text" ? [] : [`--${format}`]),
        SAFE_LINK,
      ]);
      expect(ran.status).toBe(0);
      expect(ran.stdout).not.toContain("evil.example/ ");
      expect(
        (
          await run([
            "check",
            "--list",
            EVIL,
            ...(format === "text" ? [] : [`--${format}`]),
            SAFE_LINK,
          ])
        ).status,
      ).toBe(1);
    },
  );

  test("a URL that certainly leads to one without a verdict has none", async () => {
    const undecided = "https://www.google.com/url?q=http%3A%2F%2Fev%E2%81%A5il.example%2F";
    const invalid = "https://l.facebook.com/l.php?u=http%3A%2F%2Fevil.example%22%2F";
    const guess = "http://a.example/?u=http%3A%2F%2Fevil.example%22%2F";
    const checked = await run(["check", "--list", EVIL, "--ndjson"], {
      stdin: `${undecided}\n${invalid}\n${guess}\n`,
    });
    expect(recordsIn(checked.stdout).map(verdictIn)).toEqual([
      "undecided",
      "not-a-url",
      "not-listed",
    ]);
    expect(checked.status).toBe(4);
    for (const url of [undecided, invalid]) {
      const ran = await run(["check", "--list", EVIL, url]);
      expect(ran).toMatchObject({ status: 4, stdout: "" });
      expect(ran.stderr).toContain("argument 1");
    }
  });

  test("more inside than is opened is unsure, never not listed", { tags: "deep" }, async () => {
    const deep = `${"http://a.example/?u=".repeat(1)}${"view-source:".repeat(20)}http://good.example/`;
    const many = `http://a.example/?${Array.from({ length: 40 }, (_, i) => `u=http://b${i}.example/`).join("&")}`;
    const long = `http://a.example/${"%20%2f".repeat(20_000)}`;
    for (const url of [many, long]) {
      const stdin = `${url}\n`;
      const text = await run(["check", "--list", EVIL], { stdin });
      expect(text.status).toBe(8);
      expect(text.stdout).toMatch(/^unsure {6}http[^\n]+\n {12}it may have more URLs inside\n$/);
      const json = await run(["check", "--list", EVIL, "--ndjson"], { stdin });
      expect(JSON.parse(json.stdout)).toMatchObject({ listed: null, reason: "unwrap-limit" });
    }
    expect((await run(["check", "--list", EVIL, deep])).status).not.toBe(1);
  });
});

describe("explain", () => {
  test("shows what is inside", async () => {
    const ran = await run(["explain", "--list", EVIL, TWICE]);
    expect(ran.status).toBe(1);
    expect(ran.stdout).toContain("URLs inside\n");
    expect(ran.stdout).toContain("▸ http://evil.example/ (Google → Outlook SafeLinks)");
    expect(ran.stdout).toContain("LISTED. A URL inside it is on a list.");
    expect(ran.stdout).not.toContain("Not listed");
    const json = JSON.parse((await run(["explain", "--list", EVIL, "--json", TWICE])).stdout)[0];
    expect(json).toMatchObject({ listed: true, matches: [] });
    expect(json.inside.map(({ listed }: { listed: boolean }) => listed)).toEqual([false, true]);
  });

  test.each([
    [`http://a.example/?${"u=http://b%.example/&".repeat(40)}`, "unwrap-limit"],
    ["https://www.google.com/url?q=http%3A%2F%2Fev%E2%81%A5il.example%2F", "host-undecided"],
    ["https://www.google.com/url?q=http%3A%2F%2Fevil.example%22%2F", "host-invalid"],
  ])("is unsure about %s, like check", { tags: "deep" }, async (template, reason) => {
    let count = 0;
    const url = reason === "unwrap-limit" ? template.replace(/%/g, () => `${count++}`) : template;
    const text = await run(["explain", "--list", EVIL, url]);
    expect(text.status).toBe(8);
    expect(text.stdout).toContain("Unsure. ");
    expect(text.stdout).not.toContain("Not listed");
    const json = await run(["explain", "--list", EVIL, "--json", url]);
    expect(JSON.parse(json.stdout)[0]).toMatchObject({ listed: null, reason });
    expect((await run(["explain", url])).status).toBe(0);
  });

  test("says which links cannot be opened, and what is no URL itself", async () => {
    const closed = await run(["explain", "https://t.co/abc"]);
    expect(closed.stdout).toContain("Only X knows where this link leads.");
    const source = await run(["explain", "--list", EVIL, "view-source:http://evil.example/"]);
    expect(source).toMatchObject({ status: 1, stderr: "" });
    expect(source.stdout).toContain("LISTED");
    expect((await run(["explain", "--no-unwrap", "--list", EVIL, TWICE])).status).toBe(0);
  });
});
