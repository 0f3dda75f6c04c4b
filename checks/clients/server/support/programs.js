import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";

/** The Debian package of each program. */
const PACKAGES = {
  certutil: "libnss3-tools",
  chromium: "chromium",
  clamscan: "clamav",
  "docker-compose": "docker-compose",
  "firefox-esr": "firefox-esr",
  freshclam: "clamav-freshclam",
  nginx: "nginx",
  promtool: "prometheus",
  rspamd: "rspamd",
  squid: "squid-openssl",
  "systemd-nspawn": "systemd-container",
  unbound: "unbound",
  "unbound-control": "unbound",
};

function find(program) {
  // Debian's administrators' programs are not on every user's PATH.
  for (const folder of [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"]) {
    try {
      const file = join(folder, program);
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Try the next folder.
    }
  }
  return null;
}

/**
 * Where a program is, and the reason to skip the tests that need it when it is not installed. With CLIENTS_REQUIRED=1
 * a missing program is an error.
 */
export function program(name) {
  const path = find(name);
  const reason = `${name} is not installed: apt-get install ${PACKAGES[name]}`;
  if (path === null && process.env.CLIENTS_REQUIRED === "1") throw new Error(reason);
  return { path, skip: path === null ? reason : false };
}
