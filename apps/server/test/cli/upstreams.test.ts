import { temporaryFolder } from "@x/test-support/temporary-folder";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { readUpstreams } from "../../src/cli/serving/upstreams.ts";
import { parseSettings } from "../../src/cli/settings/settings-file.ts";
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
async function read(upstreams: unknown) {
  const { settings } = parseSettings(stringify({ upstreams }), path("f.yaml"));
  return readUpstreams(settings.upstreams, path("lists.upstreams"));
}

describe("upstreams", () => {
  test("name servers, their lists and their keys", async () => {
    const [google] = await read({
      google: {
        ...GOOGLE,
        "key-file": "key",
        names: { "se-4b": "phishing" },
        "max-removed": "20%",
        grace: "12h",
      },
    });
    expect(google).toMatchObject({
      name: "google",
      client: { protocol: "v5", server: GOOGLE.server, key: "s3cret", grace: 12 * 3_600_000 },
      limit: { share: 0.2 },
    });
    expect([...google!.lists]).toEqual([
      ["mw-4b", "malware"],
      ["feed-4b", "feed"],
      ["se-4b", "phishing"],
    ]);
  });

  test("have the usual lists in v5", async () => {
    const [google] = await read({ google: { server: GOOGLE.server } });
    expect([...google!.lists.values()]).toEqual([
      "malware",
      "social-engineering",
      "unwanted-software",
    ]);
  });

  test.each([
    ["v4", "MALWARE/WINDOWS/URL", "malware"],
    ["v4", "SOCIAL_ENGINEERING", "social-engineering"],
    ["web-risk", "UNWANTED_SOFTWARE", "unwanted-software"],
  ])("have the usual names of lists in %s: %s is %s", async (protocol, list, name) => {
    const [upstream] = await read({ a: { ...GOOGLE, protocol, lists: [list] } });
    expect(upstream!.lists.get(list)).toBe(name);
  });

  test.each<[unknown, RegExp]>([
    [{ "Not a name": GOOGLE }, /upstreams\.Not a name: expected a name of/],
    [{ a: 1 }, /upstreams\.a: expected settings by name/],
    [{ a: { ...GOOGLE, key: "x" } }, /unknown setting "upstreams\.a\.key"/],
    [{ a: { ...GOOGLE, protocol: "v6" } }, /upstreams\.a\.protocol: expected one of v5, v4/],
    [{ a: { protocol: "v4", server: "https://a/" } }, /upstreams\.a\.lists: expected names/],
    [{ a: { ...GOOGLE, lists: [] } }, /upstreams\.a\.lists: expected names of lists/],
    [{ a: { lists: ["mw-4b"] } }, /upstreams\.a\.server: expected this setting/],
    [{ a: { ...GOOGLE, server: "x" } }, /upstreams\.a: server must be an absolute URL/],
    [{ a: { ...GOOGLE, server: "ftp://x/" } }, /upstreams\.a: server must begin with https/],
    [{ a: { ...GOOGLE, names: { "x-4b": "x" } } }, /a: names has x-4b, but lists does not/],
    [{ a: { ...GOOGLE, names: { "mw-4b": "A B" } } }, /A B is not a name that a list can have/],
    [{ a: { ...GOOGLE, names: { "mw-4b": "feed" } } }, /Two lists would be served as feed/],
    [{ a: { ...GOOGLE, names: { "mw-4b": "feed-4b" } } }, /use another name/],
    [{ a: { ...GOOGLE, lists: ["gc-32b"] } }, /a list of threats/],
    [{ a: { ...GOOGLE, lists: ["mw-4b", "gc-32b"] } }, /hashes of another length on global-cache/],
    [{ a: { ...GOOGLE, protocol: "web-risk", lists: ["x"] } }, /is not a list of Web Risk/],
    [{ a: GOOGLE, b: GOOGLE }, /Two lists would be served as malware/],
    [{ a: { ...GOOGLE, "key-file": "keys" } }, /must have the API key on one line/],
    [{ a: { ...GOOGLE, "key-file": "not-ascii" } }, /must have the API key on one line/],
    [{ a: { ...GOOGLE, protocol: "store", lists: ["x"] } }, /public-keys is needed/],
    [{ a: { ...GOOGLE, "public-keys": "key" } }, /public-keys is needed for .*, and only for it/],
    [
      { a: { ...GOOGLE, protocol: "store", "key-file": "key", "public-keys": "key" } },
      /key-file is not for stores/,
    ],
  ])("are refused: %j", async (values, message) => {
    await expect(read(values)).rejects.toThrow(message);
  });

  test("files that they name must be there, and no message contains a key", async () => {
    await runHere(path("."), "init", "--store", "lists");
    const serve = async (file: string) => {
      const google = [`server=${GOOGLE.server}`, `key-file=${file}`];
      const set = google.flatMap((each) => ["--set", `upstreams.google.${each}`]);
      const { status, stderr } = await runHere(path("."), "serve", "--store", "lists", ...set);
      expect(status).toBe(2);
      return stderr;
    };
    expect(await serve("gone")).toMatch(/gone/);
    expect(await serve("keys")).not.toMatch(/one\n|two/);
  });
});
