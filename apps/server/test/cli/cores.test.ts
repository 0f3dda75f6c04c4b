import { expect, test } from "vitest";
import { usableCores } from "../../src/cli/serving/cores.ts";

/** How many cores of eight may be used with these files of cgroups. */
const coresWith = (files: Readonly<Record<string, string>>) =>
  usableCores((file) => {
    const text = files[file];
    if (text === undefined) throw new Error("ENOENT");
    return text;
  }, 8);

const OWN = { "/proc/self/cgroup": "0::/system.slice/urlhash.service\n" };
const SERVICE = "/sys/fs/cgroup/system.slice/urlhash.service/cpu.max";

test.each<[string, Readonly<Record<string, string>>, number]>([
  ["without cgroups", {}, 8],
  ["without a quota", { ...OWN, [SERVICE]: "max 100000\n" }, 8],
  ["with a quota", { ...OWN, [SERVICE]: "200000 100000\n" }, 2],
  ["with a part of a core", { ...OWN, [SERVICE]: "150000 100000\n" }, 2],
  ["with less than one core", { ...OWN, [SERVICE]: "5000 100000\n" }, 1],
  ["with more than the machine has", { ...OWN, [SERVICE]: "1600000 100000\n" }, 8],
  [
    "with a quota above",
    {
      ...{ ...OWN, [SERVICE]: "400000 100000\n" },
      "/sys/fs/cgroup/system.slice/cpu.max": "300000 100000\n",
    },
    3,
  ],
  [
    "in a container",
    { "/proc/self/cgroup": "1:cpu:/\n0::/\n", "/sys/fs/cgroup/cpu.max": "100000 100000\n" },
    1,
  ],
])("%s", (_, files, expected) => {
  expect(coresWith(files)).toBe(expected);
});
