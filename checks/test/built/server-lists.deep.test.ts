import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { runProgram } from "@x/test-support/spawn";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listServer, URLHASH } from "./list-server.ts";

/* The command urlhash keeps the lists of the command urlhash-server, in all protocols. */

let lists: ReturnType<typeof listServer>;
let host: Server;
/** The addresses of the server, and of a static host that has the store. */
let addresses: { readonly server: string; readonly store: string };

beforeEach(async () => {
  lists = listServer();
  lists.publish("malware", ["http://evil.example/"]);
  lists.publish("social-engineering", ["http://phish.example/"]);
  host = createServer(({ url }, response) => {
    try {
      response.end(readFileSync(lists.path(`store${new URL(url!, "http://host").pathname}`)));
    } catch {
      response.writeHead(404).end();
    }
  });
  host.listen(0, "127.0.0.1");
  const { origin: server } = await lists.serve();
  addresses = { server, store: `http://127.0.0.1:${(host.address() as AddressInfo).port}` };
});
afterEach(() => {
  host.closeAllConnections();
  host.close();
});

test.each([
  ["v5", "mw-4b", "se-4b", ": MALWARE", ": SOCIAL_ENGINEERING"],
  ["v4", "MALWARE", "SOCIAL_ENGINEERING", "", ""],
  ["web-risk", "MALWARE", "SOCIAL_ENGINEERING", "", ""],
  ["store", "malware", "social-engineering", "", ""],
])("%s", async (protocol, malware, phishing, malwareType, phishingType) => {
  const isStore = protocol === "store";
  const place = [
    ...["--server", isStore ? addresses.store : addresses.server, "--protocol", protocol],
    ...["--lists", `${malware},${phishing}`, "--database", lists.path(protocol)],
    ...(isStore ? ["--public-key", `${lists.store}.pub`] : []),
  ];
  const urlhash = (...argv: string[]) => runProgram(URLHASH, argv);
  expect(await urlhash("update", ...place)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      new RegExp(`^${malware}: 1 added, 0 removed.*\n${phishing}: 1 added.*\n.* in 30 minutes\n$`),
    ),
    stderr: "",
  });
  const urls = ["http://evil.example/a", "http://phish.example/b", "http://new.example/c"];
  const verdict = (url: string, label: string, line = "") =>
    `${label.padEnd(10)}  ${url}\n${line === "" ? "" : `${" ".repeat(12)}${line}\n`}`;
  const phished = verdict(
    urls[1]!,
    "LISTED",
    `phish.example/ (153406eb) is on ${phishing}${phishingType}`,
  );
  expect(await urlhash("check", ...place, ...urls)).toEqual({
    status: 1,
    stdout:
      verdict(urls[0]!, "LISTED", `evil.example/ (f001957c) is on ${malware}${malwareType}`) +
      phished +
      verdict(urls[2]!, "not listed"),
    stderr: "",
  });

  lists.publish("malware", ["http://new.example/"]);
  let updated = await urlhash("update", ...place, "--now", "--json");
  // A running server looks for new versions every two seconds.
  while (!updated.stdout.includes('"changed":true')) {
    expect(updated).toMatchObject({ status: 0, stderr: "" });
    updated = await urlhash("update", ...place, "--now", "--json");
  }
  expect(JSON.parse(updated.stdout)).toMatchObject({
    lists: [{ changed: true, added: 1, removed: 1 }, { changed: false }],
  });
  const { status, stdout } = await urlhash("check", ...place, ...urls);
  expect([status, stdout.replace(/.*new.example\/ \(.*\n/, "")]).toEqual([
    1,
    verdict(urls[0]!, "not listed") + phished + verdict(urls[2]!, "LISTED"),
  ]);
});
