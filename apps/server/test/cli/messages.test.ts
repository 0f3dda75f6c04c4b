import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../support/command.ts";
import { runHere } from "../support/command-in-process.ts";

/* The messages of the command for common mistakes. */

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  folder = temporaryFolder();
  await run("init", "--store", "lists");
  mkdirSync(join(folder.path, "a-folder"));
  writeFileSync(join(folder.path, "urls.txt"), "http://evil.example/\n");
});
afterEach(() => folder.remove());

const run = (...args: string[]) => runHere(folder.path, ...args);
const at = (name: string) => join(folder.path, name);

async function complaint(line: string): Promise<string> {
  const { status, stdout, stderr } = await run(...line.split(" "));
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  return stderr.replace(/^urlhash-server: /, "").trimEnd();
}

test.each([
  "publish --store new malware=urls.txt",
  "publish --store new --watch malware=urls.txt",
  "serve --store new",
  "log --store new",
  "show --store new malware",
  "gc --store new",
  "rollback --store new malware 1",
])("before init: %s", async (line) => {
  rmSync(at("urlhash-server.yaml"));
  expect(await complaint(line)).toBe(
    `The store ${at("new")} does not exist; urlhash-server init --store ${at("new")} makes a new one`,
  );
});

test("a store whose name has a space is quoted in the commands to run next", async () => {
  const { stdout } = await run("init", "--store", "my lists");
  expect(stdout).toContain("\n  urlhash-server publish --store 'my lists' malware=urls.txt\n");
  const { stderr } = await run("log", "--store", "no lists");
  expect(stderr).toContain(`; urlhash-server init --store '${at("no lists")}' makes a new one`);
});

test.each([
  ["serve --stor lists", "unknown option '--stor': did you mean --store?"],
  [
    "publish --store lists --colum a malware=urls.txt",
    "unknown option '--colum': did you mean --column?",
  ],
  ["serve --store lists --prot 80", "unknown option '--prot': did you mean --port?"],
])("a misspelt option: %s", async (line, expected) => {
  const [command] = line.split(" ");
  expect(await complaint(line)).toBe(`${expected} (see urlhash-server ${command} --help)`);
});

test("a misspelt setting", async () => {
  writeFileSync(at("urlhash-server.yaml"), "listen: localhost:80\nserverd-lists: [a]\n");
  expect(await complaint("serve --store lists")).toBe(
    `${at("urlhash-server.yaml")}:2: unknown setting "serverd-lists": did you mean served-lists?`,
  );
});

test("a missing folder is named", async () => {
  const { status, stderr } = await run("ohttp-key", at("keys/lists.ohttp"));
  expect(status).toBe(2);
  expect(stderr).toContain(`lists.ohttp does not exist: there is no folder ${at("keys")}\n`);
});

test("a store without a name is not the working directory", async () => {
  const { status, stderr } = await run("init", "--store", "");
  expect(status).toBe(2);
  expect(stderr).toContain("option '--store <place>' cannot be ''");
});

test.each([
  ["--set upstreams.a.server=x", "upstreams.a: server must be an absolute URL"],
  ["--set ohttp-keys=none", "FOLDER/none does not exist"],
  ["--set tls.certificate=none --set tls.key=none", "FOLDER/none does not exist"],
  [
    "--set public-keys=a-folder",
    "The public key FOLDER/a-folder cannot be read: it is a directory",
  ],
  [
    "--listen no-such-host.invalid:0",
    'The host "no-such-host.invalid" does not resolve to an address',
  ],
  [
    "--port 80a",
    "option '--port <number>' cannot be '80a': expected a whole number from 0 to 65535 (see urlhash-server serve --help)",
  ],
])("serve %s", async (options, expected) => {
  const complained = await complaint(`serve --store lists ${options}`);
  expect(complained.replaceAll(folder.path, "FOLDER")).toBe(expected);
});

test("a settings file that is a folder", async () => {
  mkdirSync(at("other.yaml"));
  expect(await complaint("serve --config other.yaml")).toBe(
    `The settings file ${at("other.yaml")} cannot be read: it is a directory`,
  );
});

test("a source whose host does not resolve", async () => {
  const { status, stderr } = await run(
    ...["publish", "--store", "lists", "malware=http://no-such-host.invalid/x"],
  );
  expect(status).toBe(1);
  expect(stderr).toMatch(/ could not be fetched: the host no-such-host\.invalid does not resolve/);
});

test("help for a command that does not exist", async () => {
  expect(await complaint("help pubish")).toBe(
    "unknown command 'pubish': did you mean publish? (see urlhash-server --help)",
  );
  expect((await run("help", "publish")).stdout).toContain("Usage: urlhash-server publish");
});
