import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { sampleSize } from "@x/test-support/sample-size";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import fc from "fast-check";
import { expect, test } from "vitest";
import { run } from "../run.ts";
import { recordsIn, verdictIn } from "../verdicts.ts";

const folder = temporaryFolder();
function listFile(name: string, entry: string): string {
  const list = prefixList([fullHash(entry)], { name, prefixBytes: 4 });
  return folder.write(name, encodePrefixList(list));
}
const EVIL = listFile("evil", "evil.example/");

const DISGUISED: [string, string, RegExp][] = [
  ["http://www.bank.example@good.example/", "user-name", /www\.bank\.example is only a user name/],
  ["http://2130706433/", "address", /an IP address written/],
  ["http://xn--80ak6aa92e.com/", "look-alike", /not “a”/],
  ["http://paypa1.com/", "look-alike", /Did you mean paypal\.com\? It opens paypa1\.com\./],
  ["https://www.paypal.com.bad.example/a", "look-alike", /Did you mean paypal\.com\?/],
  ["http://good.example\\@bank.example/", "other-host", /seems to lead to/],
  ["http://good.example/#\u202egpj", "bidi", /invisible characters that reorder its text/],
];

test.each(DISGUISED)("%j is disguised: %s", async (url, code, message) => {
  for (const input of [{ argv: [url] }, { argv: [], stdin: `http://a.example/\n${url}\n` }]) {
    const check = (...argv: string[]) =>
      run(["check", "--list", EVIL, "--only-listed", ...argv, ...input.argv], input);
    const text = await check();
    expect(text.status).toBe(16);
    expect(text.stdout).toMatch(/^disguised {3}/);
    expect(text.stdout).toMatch(message);
    const record = JSON.parse((await check("--ndjson")).stdout);
    expect(record).toMatchObject({ listed: false, matches: [] });
    expect(record.disguises.map((each: { code: string }) => each.code)).toContain(code);
  }
});

test.each([
  ["10.1038/nphys1170", 0],
  ["http://10.1038/nphys1170", 16],
  ["10.1038", 0],
  ["11.1038/nphys1170", 16],
])("%s is a DOI or a number (0), or an unusual address (16): %i", async (text, status) => {
  expect((await run(["check", "--list", EVIL, text])).status).toBe(status);
});

test("it never replaces another verdict", async () => {
  const listed = "http://www.bank.example@evil.example/";
  expect(await run(["check", "--list", EVIL, listed])).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/^LISTED /),
  });
  expect((await run(["check", "--list", EVIL, listed, DISGUISED[0]![0]])).status).toBe(17);
  const safe = listFile("safe", "good.example/");
  const onSafe = await run(["check", "--list", EVIL, "--safe-list", safe, DISGUISED[0]![0]]);
  expect(onSafe).toMatchObject({ status: 0, stdout: expect.stringMatching(/^not listed /) });
});

test("lines of a file, whatever comes before them, are disguised as single URLs are", async () => {
  const url = fc.constantFrom(
    ...DISGUISED.map(([each]) => each),
    ...[
      "http://a.example/",
      "http://a.example/#b",
      "http://a-b.example/--",
      "https://www.paypal.com/",
      "a--b.example",
      "EXAMPLE.com",
    ],
    ...[
      "http://xn--bcher-kva.example/",
      "http://127.0.0.1/",
      "http://u@a.example/",
      "http://a.example/-",
    ],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(url, { minLength: 1 }), async (urls) => {
      const stdin = `${urls.join("\n")}\n`;
      const { stdout } = await run(["check", "--list", EVIL, "--ndjson"], { stdin });
      const expected = urls.map((each) =>
        DISGUISED.some(([disguised]) => disguised === each) ? "disguised" : "not-listed",
      );
      expect(recordsIn(stdout).map(verdictIn)).toEqual(expected);
    }),
    { seed: 47, numRuns: sampleSize(100) },
  );
});

test("explain names the site that is imitated", async () => {
  const { stdout } = await run(["explain", "http://paypa1.com/"]);
  expect(stdout).toMatch(/\nDisguised\n {2}Did you mean paypal\.com\? It opens paypa1\.com\.\n/);
  const ran = await run(["explain", "--json", "http://paypa1.com/", "http://paypal.com/"]);
  const records = JSON.parse(ran.stdout);
  expect(records[0].disguises).toMatchObject([{ code: "look-alike", resembles: "paypal.com" }]);
  expect(records[1]).not.toHaveProperty("disguises");
});
