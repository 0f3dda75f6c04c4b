import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * An installation of Firefox in a folder, with its own policies. Firefox looks for them beside its program, so the
 * program is copied, and everything else is linked. Returns the path of the program.
 */
export function installFirefox(program, folder, policies) {
  const source = realpathSync(program);
  mkdirSync(folder);
  for (const name of readdirSync(dirname(source))) {
    const [from, to] = [join(dirname(source), name), join(folder, name)];
    if (realpathSync(from) === source) copyFileSync(source, to);
    else if (name !== "distribution") symlinkSync(from, to);
  }
  mkdirSync(join(folder, "distribution"));
  writeFileSync(join(folder, "distribution/policies.json"), policies);
  return join(folder, basename(source));
}
