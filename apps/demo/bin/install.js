// Installs what npm start needs. pnpm keeps the lockfile of what it has installed: if that is the current one, there is
// nothing to do, and a command starts in half the time.
import { execSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

function contentsOf(name) {
  try {
    return readFileSync(`${ROOT}${name}`, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

if (contentsOf("node_modules/.pnpm/lock.yaml") !== contentsOf("pnpm-lock.yaml")) {
  const { version } = JSON.parse(contentsOf("package.json")).devEngines.packageManager;
  const command = `npx --yes pnpm@${version} install --frozen-lockfile --reporter=silent`;
  execSync(command, { cwd: ROOT, stdio: "inherit" });
}
