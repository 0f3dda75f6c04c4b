import { readFile } from "node:fs/promises";
import { Failure } from "@x/command-line";
import { changeFile } from "@x/command-line/node";
import { parseRemovalLimit, type RemovalLimit } from "../publish/removal-limits.ts";
import type { RemovalsOnce } from "../serve/upstream/accepted-contents.ts";

/** Reads the limit of each list from the file. A missing file has no limits. */
async function readLimits(file: string): Promise<Map<string, RemovalLimit>> {
  const text = await readFile(file, "utf8").catch((error) => {
    if (error.code !== "ENOENT") throw error;
    return "";
  });
  const limits = new Map<string, RemovalLimit>();
  for (const part of text.split(/[\s,]+/)) {
    if (part === "") continue;
    const [, list, text = ""] = /^([a-z0-9-]+)=(.*)$/.exec(part) ?? [];
    const limit = parseRemovalLimit(text);
    if (list === undefined || limit === null) {
      throw new Failure(`${file}: expected limits such as malware=300, one on each line`);
    }
    limits.set(list, limit);
  }
  return limits;
}

const lineOf = ([list, limit]: [string, RemovalLimit]) =>
  `${list}=${"entries" in limit ? limit.entries : `${Math.round(100 * limit.share)}%`}\n`;

/**
 * A file in which the operator allows one update of a list to remove more than usual. Each line has the limit for one
 * list, and is deleted when it is used.
 */
export function removalsOnce(file: string): RemovalsOnce {
  return {
    howTo: (limit) =>
      `check its server; if it is right, accept it once: write ${limit} into ${file}, and send SIGHUP`,
    async use(list, isEnough) {
      const allows = (limits: ReadonlyMap<string, RemovalLimit>) => {
        const own = limits.get(list);
        return own !== undefined && isEnough(own);
      };
      if (!allows(await readLimits(file))) return false;
      let isUsed = false;
      await changeFile(file, async () => {
        const limits = await readLimits(file);
        isUsed = allows(limits);
        if (!isUsed) return null;
        limits.delete(list);
        return [...limits].map(lineOf).join("");
      });
      return isUsed;
    },
  };
}
