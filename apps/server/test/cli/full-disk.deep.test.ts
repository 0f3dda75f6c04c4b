import { Writable } from "node:stream";
import { record } from "@x/test-support/process-streams";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { diskFull } from "../../../../packages/list-store/test/support/failing-storage.ts";
import { problemOf } from "../../src/publish/fetch/send-request.ts";
import { waitFor } from "../support/command.ts";
import { hosts, type Operator } from "../support/operator.ts";

const STORAGE = "@x/list-store/node";
let isFull = false;
/** Replaces the storage in directories with one whose disk may be full. */
const fullDisk = async (original: () => Promise<unknown>) => {
  const all = (await original()) as typeof import("@x/list-store/node");
  const { directoryStorage } = all;
  return {
    ...all,
    directoryStorage(directory: string) {
      const storage = directoryStorage(directory);
      const unlessFull =
        (write: typeof storage.put | typeof storage.create) =>
        async (key: string, bytes: Uint8Array) => {
          if (isFull) throw diskFull(key);
          return write(key, bytes);
        };
      return { ...storage, put: unlessFull(storage.put), create: unlessFull(storage.create) };
    },
  };
};

let newOperator: () => Promise<Operator>;
// Other test files may have loaded the module already.
beforeAll(async () => {
  vi.resetModules();
  vi.doMock(STORAGE, fullDisk);
  ({ newOperator } = await import("../support/operator.ts"));
});
afterAll(() => {
  vi.doUnmock(STORAGE);
  vi.resetModules();
});

let operator: Operator;
beforeEach(async () => {
  operator = await newOperator();
});
afterEach(() => operator.remove());

test("--watch goes on when the disk is full at its start, and publishes when there is room", async () => {
  operator.write("urls.txt", ...hosts(0, 3));
  await operator.publish("malware=urls.txt");
  operator.write("urls.txt", ...hosts(0, 4));
  isFull = true;
  let hasEnded = false;
  const watched = operator
    .publish("malware=urls.txt", "--watch", "--set", `metrics=${operator.path}/lists.prom`)
    .finally(() => {
      hasEnded = true;
    });
  await waitFor("the metrics", () => {
    try {
      return operator.read("lists.prom").includes('reason="failure"} 1');
    } catch {
      return false;
    }
  });
  isFull = false;
  operator.write("urls.txt", ...hosts(0, 5));
  await waitFor("version 2", async () => hasEnded || (await operator.log("malware")).length === 2);
  process.emit("SIGTERM");
  const { status, stdout, stderr } = await watched;
  expect(stdout).toMatch(/"msg":"malware: version 2, 5 entries/);
  expect(stdout.match(/"msg":"\S+ cannot be written, because the disk is full"/g)).toHaveLength(1);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

let isOutputFull = false;
/** Everything that the command tried to write, even if writing failed. */
let printed = "";

/** A standard output on a disk that may be full. As in a process, writing can succeed again after an error. */
function outputOnDisk() {
  const lines: string[] = [];
  const stdout = new Writable({
    write(piece: Buffer, _, done) {
      printed += piece.toString();
      if (isOutputFull) {
        const { message } = diskFull("");
        return done(Object.assign(new Error(message), { code: "ENOSPC", syscall: "write" }));
      }
      lines.push(piece.toString());
      done();
    },
    destroy(error, done) {
      done(error);
      (this as unknown as { _undestroy(): void })._undestroy();
    },
  });
  return { stdout, lines };
}

/** Runs a command whose output is on a disk that may be full. */
async function runWithOutput(...args: string[]) {
  const { main } = await import("../../src/cli/main.ts");
  const { stdout, lines } = outputOnDisk();
  return { ...(await record((io) => main(args, { ...io, stdout }))), lines };
}

const UNWRITTEN =
  "urlhash-server: The output cannot be written: ENOSPC: no space left on device, write\n";

test.each([
  [["log", "--store", "DIR"]],
  [["show", "malware", "--store", "DIR"]],
  [["except", "add", "third.example", "--store", "DIR"]],
  [["man"]],
  [["completion", "bash"]],
  [["firefox"]],
  [["--help"]],
  [["--version"]],
])("%j fails in one line when its output cannot be written", async (args) => {
  operator.write("urls.txt", ...hosts(0, 3));
  await operator.publish("malware=urls.txt");
  operator.write("lists.except", "good.example", "other.example");
  isOutputFull = true;
  const { status, stderr } = await runWithOutput(
    ...args.map((each) => each.replace("DIR", `${operator.path}/lists`)),
  );
  isOutputFull = false;
  expect({ status, stderr }).toEqual({ status: 2, stderr: UNWRITTEN });
});

test("--watch goes on while its log cannot be written, and says so once", async () => {
  const folder = operator.path;
  operator.write("urls.txt", ...hosts(0, 1));
  isOutputFull = true;
  printed = "";
  const watched = runWithOutput(
    ...["publish", "--store", `${folder}/lists`, `malware=${folder}/urls.txt`, "--watch"],
  );
  const waitForVersion = (version: number) =>
    waitFor("the next version", () => printed.includes(`malware: version ${version},`));
  await waitForVersion(1);
  for (const version of [2, 3, 4, 5, 6]) {
    isOutputFull = version % 3 !== 0;
    operator.write("urls.txt", ...hosts(0, version));
    await waitForVersion(version);
  }
  process.emit("SIGTERM");
  const { status, stderr, lines } = await watched;
  expect({ status, stderr }).toEqual({ status: 0, stderr: UNWRITTEN.repeat(2) });
  expect(lines.join("").match(/version \d/g)).toEqual(["version 3", "version 6"]);
});

test("a download for which there is no room is reported in words", () => {
  const error = Object.assign(new Error("ENOSPC: no space left on device, write"), {
    code: "ENOSPC",
    syscall: "write",
  });
  expect(problemOf(error).message).toBe(
    "could not be fetched: the disk is too full for a copy of it",
  );
});
