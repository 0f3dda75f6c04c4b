import { expect, test } from "vitest";
import { waitFor } from "../support/command.ts";
import { get, servedFolder } from "../support/served-folder.ts";

const { publish, started } = servedFolder();

test("serves, is ready, takes up a new version within seconds, and ends at SIGTERM", async () => {
  const server = await started();
  expect(await get(server.origin, "/healthz")).toEqual({ status: 200, text: "ok\n" });
  expect(await get(server.origin, "/readyz")).toEqual({ status: 200, text: "ready\n" });
  expect((await get(server.origin, "/")).text).toContain("Who runs this server?");
  await publish("a", "b");
  await waitFor("version 2", async () => {
    return (await get(server.origin, "/metrics")).text.includes(
      'urlhash_list_version{list="malware"} 2',
    );
  });
  await get(server.origin, "/v5/hashList/mw-4b");
  server.child.kill("SIGTERM");
  const { status, stdout } = await server.ended;
  expect(status).toBe(process.platform === "win32" ? null : 0);
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.at(-1)).toMatchObject({ msg: "stopped" });
  expect(lines.findLast(({ msg }) => msg === "request")).toMatchObject({
    route: "v5.hashList.get",
    status: 200,
    updates: ["malware:full"],
  });
});
