import { writeFile } from "node:fs/promises";
import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { beforeAll, expect, test } from "vitest";
import { run } from "../run.ts";

const folder = temporaryFolder();
const LIST = folder.path("phishing.list");
const DEFANGED = "hxxps://login[.]azukishop[.]live/wallet";
const MEANT = "https://login.azukishop.live/wallet";

beforeAll(async () => {
  const list = prefixList([fullHash("azukishop.live/")], { name: "phishing", prefixBytes: 8 });
  await writeFile(LIST, encodePrefixList(list));
});

test.each(["check", "explain"])(
  "%s refuses a defanged URL, and names --refang",
  async (command) => {
    const ran = await run([command, "--list", LIST, DEFANGED]);
    expect(ran).toMatchObject({ status: 4, stdout: "" });
    expect(ran.stderr).toBe(
      `urlhash: argument 1: "${DEFANGED}" looks like a defanged URL: expected a URL (--refang turns it back)\n`,
    );
    const other = await run([command, "--list", LIST, "asdf qwer"]);
    expect(other.stderr).toBe(
      'urlhash: argument 1: "asdf qwer" looks like words with spaces between them: expected a URL\n',
    );
  },
);

test.each(["check", "explain"])("%s --refang gives the verdict on the URL", async (command) => {
  const argument = await run([command, "--list", LIST, "--refang", "--json", DEFANGED]);
  expect(argument).toMatchObject({ status: 1, stderr: "" });
  const [record] = JSON.parse(argument.stdout);
  expect(record).toMatchObject({ argument: 1, url: MEANT, canonical: MEANT, listed: true });
  const plain = await run([command, "--list", LIST, "--json", MEANT]);
  expect(argument.stdout).toBe(plain.stdout);
});

test("check --refang keeps the numbers of lines, and everything else as it is", async () => {
  const lines = [
    "\ufeffevil[.]example",
    "",
    `${DEFANGED}\r`,
    "http://good.example/a[.]b",
    "0.0.0.0 evil.example",
    "azukishop dot live",
    "hxxp://ev\udc00il[.]example/",
    "http://[2001:db8::1]/",
  ];
  const stdin = Buffer.concat([
    Buffer.from(lines.slice(0, 6).join("\n")),
    Buffer.from("\nhxxp://a[.]b/\xff\n", "latin1"),
    Buffer.from("http://[2001:db8::1]/"),
  ]);
  const ran = await run(["check", "--list", LIST, "--refang", "--ndjson"], { stdin: [stdin] });
  const records = ran.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(records.map(({ line, url, listed, error }) => [line, url, error?.code ?? listed])).toEqual(
    [
      [1, "evil.example", false],
      [3, MEANT, true],
      [4, "http://good.example/a[.]b", false],
      [5, "0.0.0.0 evil.example", "hosts-line"],
      [6, "azukishop.live", true],
      [7, "hxxp://a[.]b/\ufffd", "defanged"],
      [8, "http://[2001:db8::1]/", false],
    ],
  );
});

test("list build --refang makes a list of defanged URLs; without it, they are refused", async () => {
  const stdin = `${DEFANGED}\nhxxp://evil[.]example/\n`;
  const output = folder.path("made.list");
  const refused = await run(["list", "build", "-o", output], { stdin });
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain("defanged URLs");
  expect(refused.stderr).toContain("(--refang turns them back)");
  const one = await run(["list", "build", "-o", output, "--input", "urls"], { stdin });
  expect(one.stderr).toContain("(--refang turns it back)");
  const built = await run(["list", "build", "-o", output, "--refang"], { stdin });
  expect(built).toMatchObject({ status: 0, stderr: "" });
  expect(
    (await run(["check", "--list", output, `${MEANT}`, "http://evil.example/"])).stdout,
  ).toMatch(/LISTED[\s\S]*LISTED/);
});

test.each(["azukishop.live", "hxxp://azukishop.live/", "urn://azukishop.live"])(
  "%s is listed, and nothing says that browsers open another URL",
  async (url) => {
    const { status, stdout } = await run(["explain", "--list", LIST, url]);
    expect(status).toBe(1);
    expect(stdout).toContain("\n  LISTED. ");
    expect(stdout).not.toMatch(/another URL|PROBABLY/);
    expect(stdout.includes("Browsers do not open this link.")).toBe(url.includes("://"));
  },
);

test("“not listed” is not green", async () => {
  const green = "\u001b[32m";
  for (const command of ["check", "explain"]) {
    const { stdout } = await run([
      command,
      "--list",
      LIST,
      "--color",
      "always",
      "http://a.example/",
    ]);
    expect(stdout).toMatch(/not listed/i);
    expect(stdout).toContain("\u001b[90m");
    expect(stdout).not.toContain(green);
  }
});

test("a match is called probable only from one in a million on", async () => {
  const hashes = Array.from({ length: 20_000 }, (_, i) => fullHash(`${i}.example/`));
  const large = prefixList(hashes, { name: "large", prefixBytes: 4 });
  const file = folder.path("large.list");
  await writeFile(file, encodePrefixList(large));
  const words = async (list: string, url: string) =>
    (await run(["check", "--list", list, url])).stdout +
    (await run(["explain", "--list", list, url])).stdout;
  const probable = await words(file, "http://1.example/");
  expect(probable).toContain("is probably on large");
  expect(probable).toContain("PROBABLY LISTED.");
  expect(await words(LIST, MEANT)).not.toMatch(/probably/i);
});
