import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { posix } from "node:path";

const CGROUPS = "/sys/fs/cgroup";

/**
 * Returns how many cores this process may use: those of the machine, or fewer if a container or a service has a CPU
 * quota (cgroup v2). Parts of a core count as a whole one. Node 20 does not know quotas.
 */
export function usableCores(
  read: (file: string) => string = (file) => readFileSync(file, "utf8"),
  cores: number = availableParallelism(),
): number {
  const readOr = (file: string, otherwise: string) => {
    try {
      return read(file);
    } catch {
      return otherwise;
    }
  };
  const [, own = "/"] = /^0::(\/.*)$/m.exec(readOr("/proc/self/cgroup", "")) ?? [];
  let fewest = cores;
  // The quota of each group above holds, too.
  for (let group = own; ; group = posix.dirname(group)) {
    const [, quota, period] =
      /^(\d+) (\d+)$/m.exec(readOr(posix.join(CGROUPS, group, "cpu.max"), "")) ?? [];
    if (quota !== undefined) fewest = Math.min(fewest, Math.ceil(Number(quota) / Number(period)));
    if (group === "/") return Math.max(fewest, 1);
  }
}
