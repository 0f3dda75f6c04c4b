import { execFile, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { background } from "../support/background.js";
import { ENVIRONMENT, sandbox } from "../support/sandbox.js";
import { waitFor } from "../support/wait-for.js";

/** Files of this machine that its users and programs need. */
const ETC = ["group", "login.defs", "nsswitch.conf", "os-release", "passwd"];

/**
 * A container with the programs and the network of this machine, its own root folder, and systemd as its first process.
 */
export async function bootedMachine(nspawn, root) {
  const { shared } = sandbox(root);
  for (const name of ETC)
    cpSync(join("/etc", name), join(root, "etc", name), { dereference: true });
  for (const name of ["run", "sys", "var/tmp"]) mkdirSync(join(root, name), { recursive: true });
  // systemd-nspawn creates these folders itself.
  rmSync(join(root, "dev"), { recursive: true });
  const binds = shared
    .filter(({ target }) => !/^\/(?:dev|proc)\b/.test(target))
    .map(({ source, target }) => `--bind-ro=${source}:${target}`);
  const options = [
    "--register=no",
    "--keep-unit",
    "--console=pipe",
    "--resolv-conf=off",
    "--quiet",
  ];
  const machine = background(nspawn, [...options, `--directory=${root}`, ...binds, "--boot"]);

  /** The process ID of the machine's first process, as seen from this machine. */
  function first() {
    machine.mustRun();
    const { pid } = machine.child;
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0];
  }

  function inside(command) {
    const machine = ["--target", first(), "--all", "--wd=/", "--"];
    return [...machine, "/usr/bin/env", "-i", ...ENVIRONMENT, "sh", "-ec", command];
  }

  /** Runs a command as root in the machine, and returns its status and its output. */
  function run(command, folder = "/") {
    const { status, stdout, stderr } = spawnSync("nsenter", inside(`cd ${folder}\n${command}`), {
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  }

  /** Runs a command that must succeed, while this process goes on. Returns its output. */
  async function runMeanwhile(command) {
    const { stdout } = await promisify(execFile)("nsenter", inside(command));
    return stdout.trim();
  }

  await waitFor("systemd", () =>
    /running|degraded/.test(first() === "" ? "" : run("systemctl is-system-running").stdout),
  );
  return {
    run,
    runMeanwhile,
    async stop() {
      run("systemctl poweroff --no-block");
      await machine.ended;
    },
  };
}
