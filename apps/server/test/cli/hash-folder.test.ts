import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { runHere } from "../support/command-in-process.ts";

const { path, write } = temporaryFolder();
const folder = path("");

test("serve does not start with a folder for full hashes that cannot be made", async () => {
  write("urls.txt", "a.example/\n");
  await runHere(folder, "init", "--store", "lists");
  await runHere(folder, "publish", "--store", "lists", "malware=urls.txt");
  const options = ["--store", "lists", "--port", "0", "--first-start"];
  const { status, stderr } = await runHere(
    folder,
    ...["serve", ...options, "--set", "hash-folder=urls.txt/hashes"],
  );
  expect(status).toBe(2);
  expect(stderr).toMatch(/urls\.txt/);
});
