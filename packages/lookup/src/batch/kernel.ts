import type { HashMemory } from "@x/sha256-prefix/batch";
// `#kernel` is kernel.generated.ts, unless the program is bundled without WebAssembly. That file is not committed:
// `pnpm install` and `pnpm run kernel` generate it from kernel/kernel.ts.
import { KERNEL_BASE64 } from "#kernel";

/** The arrays that the kernel works on. The comments in kernel/kernel.ts describe the kernel. */
export interface KernelArrays {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
  readonly slots: Uint32Array<ArrayBuffer>;
  readonly known: Uint8Array<ArrayBuffer>;
  readonly classes: Uint8Array<ArrayBuffer>;
  readonly spans: Uint32Array<ArrayBuffer>;
}

export interface Kernel {
  /**
   * Reads the URL from index `start` to `end` of `bytes`, and writes the places of its expressions into `starts` and
   * `ends`, from index `count` on. Expressions that are known to be on no list are left out. Returns the new count, or
   * -1 when the URL is not already canonical. `onlyHost` leaves out the expressions with a path.
   */
  readonly add: (start: number, end: number, count: number, onlyHost: boolean) => number;
  /** Remembers that the first `count` expressions are on no list, except those whose slot is 0. */
  readonly remember: (count: number) => void;
}

interface Exports extends Kernel {
  /** Takes the addresses of the arrays, in the order of kernel/kernel.ts. */
  readonly place: (...addresses: number[]) => void;
}

let compiled: WebAssembly.Module | undefined;

/** Loads the kernel, for arrays that are part of `memory`. */
export function loadKernel(memory: HashMemory, arrays: KernelArrays): Kernel {
  compiled ??= new WebAssembly.Module(
    Uint8Array.from(atob(KERNEL_BASE64), (character) => character.charCodeAt(0)),
  );
  const imports = { env: { memory: memory as WebAssembly.Memory } };
  const { place, add, remember } = new WebAssembly.Instance(compiled, imports)
    .exports as unknown as Exports;
  const { bytes, classes, known, starts, ends, slots, spans } = arrays;
  const placed = [bytes, classes, known, starts, ends, slots, spans];
  place(...placed.map(({ byteOffset }) => byteOffset));
  return { add, remember };
}
