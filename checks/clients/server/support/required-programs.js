import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";

/** The Debian package to install for each program. */
const PACKAGES = {
  bash: "bash",
  ceph: "ceph-common",
  "ceph-authtool": "ceph-common",
  "ceph-mon": "ceph-mon",
  "ceph-osd": "ceph-osd",
  certutil: "libnss3-tools",
  chromium: "chromium",
  clamscan: "clamav",
  dig: "bind9-dnsutils",
  dnsmasq: "dnsmasq-base",
  dnsperf: "dnsperf",
  "docker-compose": "docker-compose",
  "firefox-esr": "firefox-esr",
  fish: "fish",
  freshclam: "clamav-freshclam",
  git: "git",
  groff: "groff-base",
  kdig: "knot-dnsutils",
  monmaptool: "ceph-base",
  named: "bind9",
  nginx: "nginx",
  postfix: "postfix",
  promtool: "prometheus",
  radosgw: "radosgw",
  "radosgw-admin": "radosgw",
  rspamd: "rspamd",
  squid: "squid-openssl",
  "systemd-nspawn": "systemd-container",
  "systemd-resolved": "systemd-resolved",
  unbound: "unbound",
  zsh: "zsh",
};

function find(program) {
  // Debian's programs for administrators, and the parts of systemd, are not on every user's PATH.
  const more = ["/usr/sbin", "/usr/lib/systemd"];
  for (const folder of [...(process.env.PATH ?? "").split(delimiter), ...more]) {
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
 * The path of a program, and, if the program is not installed, the reason to skip the tests that need it. With
 * CLIENTS_REQUIRED=1 a missing program is an error.
 */
export function program(name) {
  const path = find(name);
  const reason = `${name} is not installed: apt-get install ${PACKAGES[name]}`;
  if (path === null && process.env.CLIENTS_REQUIRED === "1") throw new Error(reason);
  return { path, skip: path === null ? reason : false };
}
