// Installs the dependencies of the repository. pnpm keeps a copy of the lockfile that it has installed: if the copy is
// current, nothing is installed, and a command starts in half the time.
import { readFileSync } from "node:fs";
import process from "node:process";
import { ROOT, run } from "./run-program.js";
import { showProgress } from "./show-progress.js";

/** The maximum time for an answer of the registry, in milliseconds. */
const MAX_WAIT = 20_000;

function contentsOf(name) {
  try {
    return readFileSync(`${ROOT}${name}`, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

/** Returns a sentence if the registry cannot be reached, or `null`. npm and pnpm would try for minutes. */
async function whyUnreachable() {
  const options = ["--fetch-retries=0", `--fetch-timeout=${MAX_WAIT}`, "--loglevel=notice"];
  const { status, output } = await run("npm", ["ping", ...options]);
  const [, code] = /^npm (?:error|ERR!) code (\S+)/m.exec(output) ?? [];
  // A registry that answers with an HTTP status can be reached.
  if (status === 0 || code === undefined || /^E\d{3}$/.test(code)) return null;
  const [, url] = /^npm notice PING (\S+)/m.exec(output) ?? [];
  const registry = url === undefined ? "The npm registry" : `The npm registry ${url}`;
  if (/^FETCH_ERROR$|TIMEDOUT|TIMEOUT/.test(code)) return `${registry} does not answer.`;
  return `${registry} cannot be reached (${code}).`;
}

/** The error in a line of output. Lines of npm begin with its name, and events of pnpm are lines of JSON. */
function errorIn(line) {
  if (/^npm (?:error|ERR!)/.test(line)) return line;
  try {
    const { level, err, message } = JSON.parse(line);
    return level === "error" ? (err?.message ?? message) : undefined;
  } catch {
    return undefined;
  }
}

/** Runs pnpm. @throws {Error} with the lines of its errors. */
async function install(version, options, report) {
  let [resolved, imported] = [0, 0];
  const onLine = (line) => {
    // After this event, pnpm runs the scripts that generate sources.
    if (line.includes('"stage":"importing_done"')) report("generating sources");
    if (!line.includes('"name":"pnpm:progress"')) return;
    if (line.includes('"status":"resolved"')) resolved++;
    else if (line.includes('"status":"imported"')) imported++;
    else return;
    report(`${imported} of ${resolved} packages`);
  };
  const pnpm = [`pnpm@${version}`, "install", "--frozen-lockfile", "--reporter=ndjson"];
  const { status, output } = await run("npx", ["--yes", ...options, ...pnpm, ...options], {
    onLine,
  });
  if (status === 0) return;
  const errors = output.split("\n").flatMap((line) => errorIn(line) ?? []);
  throw new Error(errors.join("\n") || output);
}

async function main() {
  if (contentsOf("node_modules/.pnpm/lock.yaml") === contentsOf("pnpm-lock.yaml")) return;
  const { version } = JSON.parse(contentsOf("package.json")).devEngines.packageManager;
  process.stderr.write("This folder is set up first, which takes one to two minutes.\n");
  const problem = await whyUnreachable();
  // Without a registry, everything may still be in pnpm's store, fetched for another clone.
  const options = [problem === null ? "--prefer-offline" : "--offline"];
  try {
    await showProgress("Installing packages from npm", "Installed packages", (report) =>
      install(version, options, report),
    );
  } catch (error) {
    console.error(problem ?? `The packages cannot be installed:\n${error.message}`);
    process.exitCode = 1;
  }
}

await main();
