import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../support/new-folder.js";
import { mailWith } from "./clamav.js";

const AT_ONCE = 2;

export const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** The hashes in the output of `clamscan --debug` for one message; `null` when clamscan did not finish. */
function scan(path, folder, database, mail) {
  return new Promise((resolve) => {
    const args = ["--debug", "--no-summary", `--database=${database}`, mail];
    // A crash leaves a dump in the current folder.
    const options = { cwd: folder, maxBuffer: 2 ** 26, encoding: "latin1" };
    execFile(path, args, options, (error, _, stderr) => {
      const found = [...stderr.matchAll(/Looking up hash ([0-9A-F]{64}) /g)];
      const hasEnded = error === null || error.code === 1;
      resolve(hasEnded ? new Set(found.map(([, hash]) => hash.toLowerCase())) : null);
    });
  });
}

/** For each URL, the hashes that ClamAV looks up for a link to it; `null` when it crashes. */
export async function clamavLookups(path, urls) {
  const folder = newFolder("clamav");
  // ClamAV looks up hashes only when its database has some.
  const database = join(folder, "none.gdb");
  writeFileSync(database, `S1:F:${sha256("nothing")}\n`);
  const results = [];
  const rest = urls.entries();
  const worker = async () => {
    for (const [i, url] of rest) {
      const mail = join(folder, `${i}.eml`);
      writeFileSync(mail, mailWith(url, "html"));
      results[i] = await scan(path, folder, database, mail);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
