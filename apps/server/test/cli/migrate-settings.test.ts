import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { hashApiKey } from "../../src/serve/api-keys.ts";
import { newOperator, type Operator } from "../support/operator.ts";

let operator: Operator;
beforeEach(async () => {
  operator = await newOperator();
});
afterEach(() => operator.remove());

const migrate = (...args: string[]) =>
  operator.run("migrate-settings", "--config", "new.yaml", ...args);

test("all old settings become new ones, once", async () => {
  operator.write(
    "lists.conf",
    ...["# a comment", "lifetime = 10d", "max-removed = 20%,malware=300", "host = ::1"],
    ...["port = 80", "keep = 0", "window = 7", "prefix-bytes = 4,8", "lists = malware,intranet"],
    ...["operator-name = Us", "tls-cert = a.pem", "tls-key = b.pem"],
    ...["keys = keys", "upstreams = up.json", "config = old/publish.yaml"],
  );
  operator.write(
    "keys",
    `${hashApiKey("k")} intranet # berlin`,
    `${hashApiKey("l")} -`,
    "public a",
  );
  operator.write(
    "up.json",
    '{ "g": { "protocol": "v5", "server": "https://g/", "keyFile": "g.key",',
  );
  const rest = '"lists": ["mw-4b"], "maxRemoved": "5%", "grace": "2h" } }';
  operator.write("up.json", `${operator.read("up.json").trim()} ${rest}`);
  await operator.check("init", "--store", "old/x");
  operator.write(
    "old/publish.yaml",
    ...["defaults: { skip-bad: true }", "lists:", "  malware:", "    names: none"],
    ...["    sources: [urls.txt, { source: https://f/, column: url }]", "    exceptions: [e.txt]"],
  );
  const { status, stderr } = await migrate("behind-proxy=true");
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: "",
  });
  const at = (name: string) => `${operator.path}/${name}`;
  expect(parse(operator.read("new.yaml"))).toEqual({
    store: at("lists"),
    "skip-bad": true,
    lists: {
      malware: {
        "max-removed": 300,
        sources: [at("old/urls.txt"), { source: "https://f/", column: "url" }],
        exceptions: [at("old/e.txt")],
      },
    },
    upstreams: {
      g: {
        ...{ protocol: "v5", server: "https://g/", lists: ["mw-4b"], grace: "2h" },
        ...{ "key-file": at("g.key"), "max-removed": "5%" },
      },
    },
    readers: {
      berlin: { "key-sha256": hashApiKey("k"), lists: ["intranet"] },
      "reader-2": { "key-sha256": hashApiKey("l"), lists: [] },
    },
    "public-lists": ["a"],
    lifetime: "10d",
    "max-removed": "20%",
    listen: "[::1]:80",
    keep: { versions: 1, differences: 7 },
    "prefix-bytes": [4, 8],
    "served-lists": ["malware", "intranet"],
    operator: { name: "Us" },
    tls: { certificate: at("a.pem"), key: at("b.pem") },
    "behind-proxy": true,
  });
  expect((await migrate()).stderr).toMatch(/new\.yaml exists; it was left as it is/);
});

test("old settings that are not valid are named, and nothing is written", async () => {
  expect((await migrate()).stderr).toMatch(/There are no old settings in \S+lists\.conf/);
  const sources = "sources: [urls.txt]";
  operator.write("publish.yaml", `lists: { malware: { ${sources}, share-exceptions: true } }`);
  operator.write("defaults.yaml", `{ defaults: { interop: true }, lists: { a: { ${sources} } } }`);
  for (const [line, problem] of [
    ["lifetime = soon", /--set lifetime: expected a duration/],
    ["colour = red", /unknown setting "colour"/],
    ["s3-region = x", /s3-region: set AWS_REGION in the environment instead/],
    ["keep-names = malware", /keep-names: this setting is gone; delete it from the old settings/],
    ["config = publish.yaml", /share-exceptions: this setting is gone/],
    ["config = defaults.yaml", /interop: this setting is gone/],
  ] as const) {
    operator.write("lists.conf", line);
    expect(await migrate()).toMatchObject({ status: 2, stderr: expect.stringMatching(problem) });
  }
  expect(() => operator.read("new.yaml")).toThrow();
});
