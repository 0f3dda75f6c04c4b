import { temporaryFolder } from "@x/test-support/temporary-folder";
import { describe, expect, test } from "vitest";
import { readUpstreams } from "../../src/cli/upstreams.ts";
import { runHere } from "../support/command-in-process.ts";

const { path, write } = temporaryFolder();
write("key", "s3cret\n");
write("keys", "one\ntwo\n");
write("not-ascii", "cl\u00e9\n");

const GOOGLE = {
  protocol: "v5",
  server: "https://safebrowsing.googleapis.com",
  lists: ["mw-4b", "feed-4b", "se-4b"],
};
const fileOf = (values: unknown) =>
  write("upstreams.json", typeof values === "string" ? values : JSON.stringify(values));
const read = (values: unknown) => readUpstreams(fileOf(values), path("lists.upstreams"));

describe("the file of other servers", () => {
  test("names servers, their lists and their keys", async () => {
    const [google] = await read({
      google: {
        ...GOOGLE,
        keyFile: "key",
        names: { "se-4b": "phishing" },
        maxRemoved: "20%,malware=5",
        grace: "12h",
      },
    });
    expect(google).toMatchObject({
      name: "google",
      client: { protocol: "v5", server: GOOGLE.server, key: "s3cret", grace: 12 * 3_600_000 },
      limits: { others: { share: 0.2 } },
    });
    expect([...google!.lists]).toEqual([
      ["mw-4b", "malware"],
      ["feed-4b", "feed"],
      ["se-4b", "phishing"],
    ]);
  });

  test.each([
    ["v4", "MALWARE/WINDOWS/URL", "malware"],
    ["v4", "SOCIAL_ENGINEERING", "social-engineering"],
    ["web-risk", "UNWANTED_SOFTWARE", "unwanted-software"],
  ])("has the usual names of lists in %s: %s is %s", async (protocol, list, name) => {
    const [upstream] = await read({ a: { ...GOOGLE, protocol, lists: [list] } });
    expect(upstream!.lists.get(list)).toBe(name);
  });

  test.each<[unknown, RegExp]>([
    ["{", /is not JSON/],
    [[], /expected an object with a member for each server/],
    [{ "Not a name": GOOGLE }, /expected a name of/],
    [{ a: 1 }, /: a: expected an object/],
    [{ a: { ...GOOGLE, key: "x" } }, /: a: key is unknown; the members are protocol, server, /],
    [{ a: { ...GOOGLE, protocol: "v6" } }, /: a: protocol must be "v5", "v4"/],
    [{ a: { ...GOOGLE, protocol: undefined } }, /: a: protocol must be/],
    [{ a: { ...GOOGLE, lists: [] } }, /: a: lists must be an array of names/],
    [{ a: { ...GOOGLE, server: "x" } }, /: a: server must be an absolute URL/],
    [{ a: { ...GOOGLE, server: "ftp://x/" } }, /: a: server must begin with https/],
    [{ a: { ...GOOGLE, names: { "x-4b": "x" } } }, /: a: names has x-4b, but lists does not/],
    [{ a: { ...GOOGLE, names: { "mw-4b": "A B" } } }, /A B is not a name that a list can have/],
    [{ a: { ...GOOGLE, names: { "mw-4b": "feed" } } }, /Two lists would be served as feed/],
    [{ a: { ...GOOGLE, names: { "mw-4b": "feed-4b" } } }, /use another name/],
    [{ a: { ...GOOGLE, lists: ["gc-32b"] } }, /a list of threats/],
    [{ a: { ...GOOGLE, lists: ["mw-4b", "gc-32b"] } }, /hashes of another length on global-cache/],
    [{ a: { ...GOOGLE, protocol: "web-risk", lists: ["x"] } }, /is not a list of Web Risk/],
    [{ a: GOOGLE, b: GOOGLE }, /Two lists would be served as malware/],
    [{ a: { ...GOOGLE, maxRemoved: "much" } }, /: a: maxRemoved must be limits/],
    [{ a: { ...GOOGLE, grace: "long" } }, /: a: grace must be a duration/],
    [{ a: { ...GOOGLE, keyFile: "keys" } }, /must have the API key on one line/],
    [{ a: { ...GOOGLE, keyFile: "not-ascii" } }, /must have the API key on one line/],
    [{ a: { ...GOOGLE, protocol: "store", lists: ["x"] } }, /publicKeyFile is needed/],
    [{ a: { ...GOOGLE, publicKeyFile: "key" } }, /publicKeyFile is needed for .*, and only for it/],
    [
      { a: { ...GOOGLE, protocol: "store", keyFile: "key", publicKeyFile: "key" } },
      /keyFile is not for stores/,
    ],
  ])("is refused: %j", async (values, message) => {
    await expect(read(values)).rejects.toThrow(message);
  });

  test("must be there, and so must the files that it names", async () => {
    await runHere(path("."), "init", "--store", "lists");
    const serve = async (file: string) => {
      const { status, stderr } = await runHere(
        path("."),
        ...["serve", "--store", "lists", "--upstreams", file],
      );
      expect(status).toBe(2);
      return stderr;
    };
    expect(await serve("missing.json")).toMatch(/missing\.json/);
    expect(await serve(fileOf({ a: { ...GOOGLE, keyFile: "gone" } }))).toMatch(/gone/);
    // No message contains the key.
    expect(await serve(fileOf({ a: { ...GOOGLE, keyFile: "keys" } }))).not.toMatch(/one\n|two/);
  });
});

describe("options that name servers", () => {
  const folder = path("lists.upstreams");
  const upstream = new Map([["google", GOOGLE.server]]);

  test("keep the usual lists over v5, with a key from a file", async () => {
    const upstreamKey = new Map([["google", path("key")]]);
    const [google, ...others] = await readUpstreams(undefined, folder, { upstream, upstreamKey });
    expect(others).toEqual([]);
    expect(google).toMatchObject({
      name: "google",
      client: { protocol: "v5", server: GOOGLE.server, key: "s3cret" },
    });
    expect([...google!.lists.values()]).toEqual([
      "malware",
      "social-engineering",
      "unwanted-software",
    ]);
  });

  test("stand beside those of the file, whose names they cannot have", async () => {
    const file = fileOf({ partner: { ...GOOGLE, lists: ["feed-4b"] } });
    const both = await readUpstreams(file, folder, { upstream });
    const accept = /write feed=3 into .*\/lists\.upstreams\/max-removed\.once, and send SIGHUP$/;
    for (const { removalsOnce } of both) expect(removalsOnce.howTo("feed=3")).toMatch(accept);
    expect(both.map(({ name }) => name)).toEqual(["partner", "google"]);
    const twice = readUpstreams(fileOf({ google: GOOGLE }), folder, { upstream });
    await expect(twice).rejects.toThrow(
      /^--upstream google: the file .* has a server of this name$/,
    );
  });

  test.each([
    [["--upstream", "google"], /Expected a name, an equals sign and a value/],
    [["--upstream", "a=http://b/", "--upstream", "a=http://c/"], /a is given twice/],
    [["--upstream", "a=b"], /--upstream: a: server must be an absolute URL/],
    [["--upstream", "A B=http://b/"], /--upstream: A B: expected a name of/],
    [["--upstream-key", "a=key"], /--upstream-key a needs --upstream a=URL/],
  ])("that are wrong are refused: %j", async (argv, reason) => {
    await runHere(path("."), "init", "--store", "other");
    const ran = await runHere(path("."), "serve", "--store", "other", ...argv);
    expect(ran.status).toBe(2);
    expect(ran.stderr).toMatch(reason);
  });
});
