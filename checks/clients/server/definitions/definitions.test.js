import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { newFolder } from "../support/new-folder.js";
import { program } from "../support/required-programs.js";

/* The man pages and completions of both commands, read by the programs that they are for. */

const groff = program("groff");
const SHELLS = ["bash", "fish", "zsh"].map((shell) => ({ shell, ...program(shell) }));

for (const app of ["cli", "server"]) {
  const folder = fileURLToPath(new URL(`../../../../apps/${app}`, import.meta.url));
  const {
    bin,
    man: [man],
  } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const [[name, file]] = Object.entries(bin);

  describe(name, () => {
    test("has a man page without warnings", { skip: groff.skip }, () => {
      const page = spawnSync(groff.path, ["-man", "-Tutf8", "-ww", "-K", "utf8"], {
        input: readFileSync(join(folder, man)),
        encoding: "utf8",
      });
      assert.deepEqual([page.status, page.stderr], [0, ""]);
      assert.match(page.stdout, new RegExp(`^${name.toUpperCase()}\\(1\\)`));
    });

    for (const { shell, path, skip } of SHELLS) {
      test(`has completions that ${shell} can read`, { skip }, () => {
        const script = execFileSync(process.execPath, [join(folder, file), "completion", shell]);
        // Fish cannot read a script from a socket.
        const source = join(newFolder("completions"), name);
        writeFileSync(source, script);
        const run = (...args) => spawnSync(path, args, { encoding: "utf8" });
        const read = run("-n", source);
        assert.deepEqual([read.status, read.stderr], [0, ""]);
        if (shell !== "fish") return;
        const asked = (line) => run("-c", `source ${source}; complete -C '${line}'`);
        const offered = asked(`${name} comple`);
        assert.deepEqual([offered.stderr, offered.stdout.split("\t")[0]], ["", "completion"]);
        assert.equal(asked(`${name} completion `).stderr, "");
      });
    }
  });
}
