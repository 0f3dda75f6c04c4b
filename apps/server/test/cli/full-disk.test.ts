import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { diskFull } from "../../../../packages/list-store/test/support/failing-storage.ts";
import { problemOf } from "../../src/publish/fetch/fetch-problem.ts";
import { waitFor } from "../support/command.ts";
import { hosts, type Operator } from "../support/operator.ts";

const STORAGE = "../../src/storage/directory-storage.ts";
let isFull = false;
/** Makes stores on a disk that may be full. */
const fullDisk = async (original: () => Promise<unknown>) => {
  const { directoryStorage } =
    (await original()) as typeof import("../../src/storage/directory-storage.ts");
  return {
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
// Other files of tests may have loaded the module already.
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
    .publish("malware=urls.txt", "--watch", "--metrics", `${operator.path}/lists.prom`)
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
  expect(stdout).toMatch(/^malware: version 2, 5 entries/m);
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: expect.stringMatching(
      /^urlhash-server: \S+ cannot be written, because the disk is full\n$/,
    ),
  });
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
