import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Frees memory that is no longer used. Reading a list takes several times the memory of the list, and a process that then
 * does little would keep it for hours.
 */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}
