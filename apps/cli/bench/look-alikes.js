// Measures how much processor time `urlhash check --file` takes to find imitations of well-known sites, compared with a
// command that is built without them: `pnpm --filter @x/cli bench:look-alikes [file of URLs]`
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { makeUrls } from "@x/test-support/url-corpus";
import { build } from "vite";

const ROUNDS = 7;
const REPEATED = 20;

const root = fileURLToPath(new URL("..", import.meta.url));
// Beside `dist`, so that both find the same packages.
const folder = mkdtempSync(join(root, "bench-"));
const path = (name) => join(folder, name);

try {
  await build({
    root,
    logLevel: "error",
    build: { outDir: folder },
    plugins: [
      {
        name: "without-look-alikes",
        enforce: "pre",
        transform(code, id) {
          if (!id.endsWith("/list-evaluator.ts")) return null;
          const test = "IMITATIONS.quickTest()";
          if (!code.includes(test)) throw new Error(`${id} has no ${test}`);
          return code.replace(test, "null");
        },
      },
    ],
  });
  const given = process.argv[2];
  const urls =
    given === undefined ? makeUrls(48_000) : readFileSync(given, "utf8").trim().split("\n");
  const lines = `${urls.join("\n")}\n`;
  writeFileSync(path("one.txt"), lines);
  writeFileSync(path("urls.txt"), lines.repeat(REPEATED));
  writeFileSync(path("entries.txt"), "evil.example/\n");
  const commands = { without: folder, with: join(root, "dist") };
  run(commands.with, ["list", "build", path("entries.txt"), "-o", path("a.list")]);
  const check = (dist, file) =>
    run(dist, ["check", "--list", path("a.list"), "--file", path(file)]);

  const [without, found] = Object.values(commands).map((dist) =>
    check(dist, "one.txt").output.split("\n"),
  );
  for (const [i, line] of found.entries()) {
    if (line === without[i]) continue;
    // A disguised URL has one more line, with the reason.
    const isFound = line.startsWith("disguised") && without[i].startsWith("not listed");
    if (!isFound)
      throw new Error(`${JSON.stringify(line)} instead of ${JSON.stringify(without[i])}`);
    found.splice(i + 1, 1);
  }

  const seconds = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, dist] of Object.entries(commands)) {
      seconds[name].push(check(dist, "urls.txt").seconds);
    }
  }
  printMachine();
  const best = Math.min(...seconds.without);
  printTable(
    [`${urls.length * REPEATED} URLs`, "seconds of the processor", "median", "ratio"],
    Object.entries(seconds).map(([name, each]) => {
      const median = each.toSorted((a, b) => a - b)[Math.floor(each.length / 2)];
      const least = Math.min(...each);
      return [
        `${name} look-alikes`,
        least.toFixed(2),
        median.toFixed(2),
        (least / best).toFixed(3),
      ];
    }),
  );
} finally {
  rmSync(folder, { recursive: true });
}

/** Runs a built command, and returns its output and the processor time of all its threads. */
function run(dist, args) {
  const script = `
    import { writeSync } from "node:fs";
    const { main } = await import(${JSON.stringify(pathToFileURL(join(dist, "main.js")).href)});
    await main(process.argv.slice(1), process);
    const { user, system } = process.cpuUsage();
    writeSync(2, "\\nseconds " + (user + system) / 1e6);`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "--eval", script, "--", ...args],
    { encoding: "utf8", maxBuffer: 2 ** 30 },
  );
  const seconds = Number(/seconds (\S+)$/.exec(stderr)?.[1]);
  if (!(seconds > 0) || stdout === "") throw new Error(stderr);
  return { output: stdout, seconds };
}
