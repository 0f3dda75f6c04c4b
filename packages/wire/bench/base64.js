// Writes and reads base64, compared with Buffer: `pnpm --filter @x/wire bench:base64`

import { createHash } from "node:crypto";
import { compare, printMachine, printTable } from "@x/test-support/benchmark";
import { decodeJson, encodeJson } from "@x/wire";
import { getHashList } from "@x/wire/v5";

const LENGTHS = [32, 1000, 16_000_000];
const ROUNDS = 7;
/** How many bytes each candidate writes or reads in a round. */
const BYTES = 16_000_000;

/** A candidate that repeats its work; its result is the hash of the last result. */
const repeated = (run, times) => () => {
  let result;
  const start = process.hrtime.bigint();
  for (let i = 0; i < times; i++) result = run();
  const nanoseconds = Number(process.hrtime.bigint() - start);
  return { nanoseconds, result: createHash("sha256").update(result).digest("hex") };
};

printMachine();
for (const length of LENGTHS) {
  const version = Uint8Array.from({ length }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 13);
  const bytes = Buffer.from(version);
  const text = bytes.toString("base64");
  const json = JSON.stringify({ version: text });
  const { response } = getHashList;
  const tables = {
    write: {
      "@x/wire": () => encodeJson(response, { version }),
      Buffer: () => JSON.stringify({ version: bytes.toString("base64") }),
    },
    read: {
      "@x/wire": () => decodeJson(response, json).version,
      Buffer: () => Buffer.from(JSON.parse(json).version, "base64"),
    },
  };
  for (const [what, candidates] of Object.entries(tables)) {
    const times = Math.ceil(BYTES / length);
    const timings = await compare({
      candidates: Object.fromEntries(
        Object.entries(candidates).map(([name, run]) => [name, repeated(run, times)]),
      ),
      inputs: [null],
      items: times,
      rounds: ROUNDS,
      warmUp: 1,
    });
    const slowest = Math.max(...timings.map(({ nanoseconds }) => nanoseconds));
    printTable(
      [`${what} a message with ${length} bytes`, "µs", "faster"],
      timings.map(({ name, nanoseconds }) => [
        name,
        (nanoseconds / 1000).toFixed(2),
        `${(slowest / nanoseconds).toFixed(1)}×`,
      ]),
    );
  }
}
