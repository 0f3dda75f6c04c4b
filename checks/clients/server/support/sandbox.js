import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { background } from "./background.js";

/*
 * Runs commands as a container runtime does: in a read-only root folder of their own, with only the folders
 * that they are given, and as an unprivileged user.
 */

/**
 * The reason to skip tests that need a sandbox, if there is one. With CLIENTS_REQUIRED=1, the function throws instead.
 */
export function sandboxSkip() {
  const { status } = spawnSync("unshare", ["--mount", "setpriv", "--bounding-set=-all", "true"]);
  if (status === 0) return false;
  const reason = "a sandbox needs Linux, and the rights of root to mount";
  if (process.env.CLIENTS_REQUIRED === "1") throw new Error(reason);
  return reason;
}

/** Binds folders and files, given as MODE SOURCE TARGET, into the root. Then runs the command after `--`. */
const SCRIPT = `
root=$1 mode=$2
shift 2
mount --bind "$root" "$root"
while [ "$1" != -- ]; do
  mount -o "bind,$1" "$2" "$root$3"
  shift 3
done
mount -o "remount,bind,$mode" "$root"
shift
cd "$root"
exec chroot "$root" "$@"
`;

/** The environment variables of commands in the sandbox. */
export const ENVIRONMENT = [
  "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin",
  // npm also trusts the certificates of the system.
  "NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt",
];
const NO_RIGHTS = ["--init-groups", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"];

/** A root folder with the system's programs, Node.js and npm. The layout is that of the official image of Node.js. */
export function sandbox(root) {
  const made = (path) => mkdirSync(join(root, path), { recursive: true });
  const system = [];
  const share = (source, target = source) => system.push("ro", source, target);

  for (const path of ["/dev", "/proc", "/root", "/tmp", "/var/lib", "/etc", "/usr/local/bin"])
    made(path);
  for (const name of ["bin", "lib", "lib64", "sbin"]) {
    if (!existsSync(`/usr/${name}`)) continue;
    made(`/usr/${name}`);
    symlinkSync(`usr/${name}`, join(root, name));
    share(`/usr/${name}`);
  }
  for (const path of ["/usr/share", "/etc/ssl", "/proc"]) {
    made(path);
    share(path);
  }
  for (const path of ["/dev/null", "/dev/urandom"]) {
    writeFileSync(join(root, path), "");
    system.push("rw", path, path);
  }
  const npm = join(realpathSync(spawnSync("which", ["npm"]).stdout.toString().trim()), "../..");
  made("/usr/local/lib/node_modules/npm");
  share(npm, "/usr/local/lib/node_modules/npm");
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(root, "usr/local/bin/npm"));
  writeFileSync(join(root, "usr/local/bin/node"), "", { mode: 0o755 });
  share(process.execPath, "/usr/local/bin/node");
  writeFileSync(
    join(root, "etc/passwd"),
    "root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/:/bin/sh\n",
  );
  writeFileSync(join(root, "etc/group"), "root:x:0:\nnode:x:1000:\n");
  copyFileSync("/etc/resolv.conf", join(root, "etc/resolv.conf"));
  chmodSync(join(root, "tmp"), 0o755);

  /** The arguments of `unshare` that run a command. */
  const argv = (command, { user, mounts = [], hasNetwork = true }) => {
    for (const { target } of mounts) {
      if (!existsSync(join(root, target)))
        throw new Error(`${target} does not exist in the sandbox`);
    }
    return [
      "--mount",
      ...(hasNetwork ? [] : ["--net"]),
      ...["sh", "-ec", SCRIPT, "sh", root, user === undefined ? "rw" : "ro"],
      ...system,
      ...mounts.flatMap(({ source, target, readOnly }) => [readOnly ? "ro" : "rw", source, target]),
      "--",
      ...["/usr/bin/env", "-i", ...ENVIRONMENT],
      ...(user === undefined
        ? []
        : ["/usr/bin/setpriv", `--reuid=${user}`, `--regid=${user}`, ...NO_RIGHTS]),
      ...command,
    ];
  };

  return {
    root,
    /** The files and folders of this machine that the root contains, each with its path in the root. */
    shared: system.flatMap((_, i) =>
      i % 3 === 0 ? [{ source: system[i + 1], target: system[i + 2] }] : [],
    ),
    /**
     * Runs a command to its end, and returns its status and its output. Without a user, the command runs as root, who
     * may write to the root folder.
     */
    run(command, options = {}) {
      const { status, stdout, stderr } = spawnSync("unshare", argv(command, options), {
        encoding: "utf8",
      });
      return { status, stdout, stderr };
    },
    /** Starts a command as a user. The process is the command itself, so signals reach it. */
    start(command, options) {
      return background("unshare", argv(command, options));
    },
  };
}
