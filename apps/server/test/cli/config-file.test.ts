import { temporaryFolder } from "@x/test-support/temporary-folder";
import { Command } from "commander";
import { expect, test } from "vitest";
import { optionsReader } from "../../src/cli/config-file.ts";

const folder = temporaryFolder();

test("settings in use must not vanish, but those that were never in use may", async () => {
  const command = new Command().option("--store <directory>").option("--lifetime <duration>");
  command.parse(["--store", folder.path("lists")], { from: "user" });
  const started = command.opts();
  const read = optionsReader<object>(command);
  folder.write("lists.conf", "lifetime = 1d\n");
  const withSetting = await read(started);
  expect(withSetting).toEqual({ ...started, lifetime: "1d" });
  folder.write("lists.conf", "");
  // The setting was refused, so it never was in use.
  expect(await read(started)).toEqual(started);
  await expect(read(withSetting)).rejects.toThrow("no longer has any settings");
});
