import { record } from "@x/test-support/process-streams";
import { expect, test } from "vitest";
import { phishingHosts } from "../src/phishing-list/phishing-list.ts";
import { start } from "../src/start/start.ts";

test("without arguments: a list is built, and a listed URL is found and explained", {
  tags: "deep",
}, async () => {
  const { status, stdout, stderr } = await record((io) => start([], io), { env: { CI: "1" } });
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout.match(/^not listed /gm)).toHaveLength(3);
  const listed = /^LISTED .*\n +(\S+)\/ \(([0-9a-f]{10})\) is on metamask-crypto-phishing$/m.exec(
    stdout,
  );
  const [, host, prefix = ""] = listed ?? [];
  expect(await phishingHosts()).toContain(host);
  expect(stdout).toContain(`▸ ${host}/\n    ${prefix.slice(0, 8)}  ${prefix}`);
  expect(stdout).toContain("npm start -- explain");
});

test("with arguments: urlhash on the real list", async () => {
  const [host] = await phishingHosts();
  expect((await record((io) => start(["check", `http://www.${host}/login`], io))).status).toBe(1);
  expect((await record((io) => start(["check", "example.com"], io))).status).toBe(0);
  const explained = await record((io) => start(["explain", "example.com"], io));
  expect(explained.stdout).toContain("Its one expression is not on metamask-crypto-phishing (13,");
});

test("the help names all that npm start runs, and its examples work", {
  tags: "deep",
}, async () => {
  const { status, stdout } = await record((io) => start(["--help"], io));
  expect(status).toBe(0);
  expect(stdout).toMatch(/^Usage:\n {2}npm start /);
  expect(stdout).toMatch(/\n {2}check +/);
  const examples = [...stdout.matchAll(/^ {2}\$ npm start -- (.+)$/gm)].map(([, text]) => text!);
  expect(examples).toHaveLength(4);
  for (const example of examples) {
    const argv = example.split(" ").map((text) => text.replaceAll('"', ""));
    const ran = await record((io) => start(argv, io));
    expect([example, ran.status < 2, ran.stderr]).toEqual([example, true, ""]);
  }
});
