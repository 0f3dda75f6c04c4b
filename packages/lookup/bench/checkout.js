import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The root of this checkout. */
export const HERE = new URL("../../../", import.meta.url).href;

function run(program, args, folder) {
  execFileSync(program, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

/**
 * Checks out a commit into a temporary folder, and installs and builds `@x/lookup` there.
 *
 * @returns {{ root: string, remove: () => void }} the URL of its root, and a function that removes it.
 */
export function checkOut(commit) {
  const here = fileURLToPath(HERE);
  const folder = join(mkdtempSync(join(tmpdir(), "urlhash-bench-")), "checkout");
  const remove = () => {
    run("git", ["worktree", "remove", "--force", folder], here);
    rmSync(join(folder, ".."), { recursive: true });
  };
  run("git", ["worktree", "add", "--detach", folder, commit], here);
  try {
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).devEngines
      .packageManager;
    run("npx", ["--yes", `pnpm@${version}`, "install", "--frozen-lockfile"], folder);
    run("npx", ["turbo", "run", "build", "--filter=@x/lookup"], folder);
  } catch (error) {
    remove();
    throw error;
  }
  return { root: pathToFileURL(`${folder}/`).href, remove };
}
