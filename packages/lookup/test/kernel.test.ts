import { expect, test } from "vitest";
import { KERNEL_BASE64 } from "../src/batch/kernel.generated.ts";

test("the kernel brings no data into the memory that it shares with the hash engine", () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const compiled = new WebAssembly.Module(Buffer.from(KERNEL_BASE64, "base64"));
  new WebAssembly.Instance(compiled, { env: { memory } });
  expect(new Uint8Array(memory.buffer).every((byte) => byte === 0)).toBe(true);
});
