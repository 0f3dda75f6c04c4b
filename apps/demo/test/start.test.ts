import { record } from "@x/test-support/process-streams";
import { expect, test } from "vitest";
import { phishingHosts } from "../src/phishing-list/phishing-list.ts";
import { start } from "../src/start/start.ts";

test("without arguments: a list is built, and a listed URL is found and explained", async () => {
  const { status, stdout, stderr } = await record((io) => start([], io), { env: { CI: "1" } });
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout.match(/^not listed /gm)).toHaveLength(3);
  const listed =
    /^LISTED .*\n +(\S+)\/ \(([0-9a-f]{8})\) is probably on eth-phishing-detect$/m.exec(stdout);
  expect(await phishingHosts()).toContain(listed?.[1]);
  expect(stdout).toContain(`▸ ${listed?.[1]}/\n    ${listed?.[2]}  ${listed?.[2]}`);
  expect(stdout).toContain("npm start -- explain");
});

test("with arguments: urlhash on the real list", async () => {
  const [host] = await phishingHosts();
  expect((await record((io) => start(["check", `http://www.${host}/login`], io))).status).toBe(1);
  expect((await record((io) => start(["check", "example.com"], io))).status).toBe(0);
  const explained = await record((io) => start(["explain", "example.com"], io));
  expect(explained.stdout).toContain("Its one expression is not on eth-phishing-detect (13,");
});
