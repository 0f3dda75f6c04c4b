import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { AwsClient } from "aws4fetch";
import { background } from "./background.js";
import { freePort } from "./free-port.js";
import { newFolder } from "./new-folder.js";
import { program } from "./required-programs.js";
import { waitFor } from "./wait-for.js";

const run = promisify(execFile);
const NAMES = [
  "ceph",
  "ceph-authtool",
  "ceph-mon",
  "ceph-osd",
  "monmaptool",
  "radosgw",
  "radosgw-admin",
];

/** The programs of Ceph, and the reason to skip the tests that need them. */
export function cephPrograms() {
  const found = NAMES.map((name) => [name, program(name)]);
  const skip = found.map(([, each]) => each.skip).find((reason) => reason !== false) ?? false;
  return { paths: Object.fromEntries(found.map(([name, { path }]) => [name, path])), skip };
}

/** The configuration of one monitor and one storage daemon, which keeps everything in memory. */
const config = (folder, [v2, v1, gateway]) => `
[global]
fsid = ${randomUUID()}
mon initial members = a
mon host = [v2:127.0.0.1:${v2},v1:127.0.0.1:${v1}]
public network = 127.0.0.0/8
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
auth allow insecure global id reclaim = true
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 1000
osd objectstore = memstore
memstore device bytes = 1073741824
run dir = ${folder}
log file = ${folder}/$name.log
admin socket = ${folder}/$name.asok
[mon]
keyring = ${folder}/mon.keyring
mon data = ${folder}/mon
[osd]
keyring = ${folder}/osd/keyring
osd data = ${folder}/osd
[client]
keyring = ${folder}/all.keyring
rgw frontends = beast endpoint=127.0.0.1:${gateway}
rgw data = ${folder}/rgw
rgw dynamic resharding = false
rgw override bucket index max shards = 1
`;

/** Ceph's gateway for S3 on a cluster of its own, with one user and one bucket. */
export async function cephGateway(paths) {
  const folder = newFolder("ceph");
  const at = (name) => join(folder, name);
  const ports = [await freePort(), await freePort(), await freePort()];
  const file = at("ceph.conf");
  writeFileSync(file, config(folder, ports));
  const [v2, v1, gateway] = ports;
  const fsid = /^fsid = (.*)$/m.exec(readFileSync(file, "utf8"))[1];
  const daemons = [];
  const call = (name, ...args) => run(paths[name], ["-c", file, ...args], { timeout: 60_000 });
  const ask = (...args) => call("ceph", "--connect-timeout", "5", ...args);

  function start(name, ...args) {
    daemons.unshift(background(paths[name], ["-c", file, ...args], { stdio: "ignore" }));
  }

  async function stop() {
    for (const daemon of daemons) await daemon.stop("SIGKILL");
  }

  async function startAll() {
    for (const name of ["mon", "osd", "rgw"]) mkdirSync(at(name));
    const key = (keyring, name, ...caps) =>
      run(paths["ceph-authtool"], [
        ...[at(keyring), "--gen-key", "-n", name],
        ...caps.flatMap((service) => ["--cap", service, "allow *"]),
      ]);
    writeFileSync(at("all.keyring"), "");
    await key("all.keyring", "client.admin", "mon", "osd", "mgr");
    await key("all.keyring", "client.rgw.test", "mon", "osd");
    await key("all.keyring", "osd.0", "mon", "osd");
    copyFileSync(at("all.keyring"), at("mon.keyring"));
    copyFileSync(at("all.keyring"), at("osd/keyring"));
    await key("mon.keyring", "mon.", "mon");
    const addresses = `[v2:127.0.0.1:${v2},v1:127.0.0.1:${v1}]`;
    const monitors = ["--create", "--addv", "a", addresses, "--fsid", fsid];
    await run(paths.monmaptool, [...monitors, at("monmap")]);
    await call(
      "ceph-mon",
      ...["--mkfs", "-i", "a", "--monmap", at("monmap"), "--keyring", at("mon.keyring")],
    );
    start("ceph-mon", "-f", "-i", "a");
    await waitFor("the monitor of Ceph", () => ask("-s").catch(() => null));
    const uuid = randomUUID();
    await ask("osd", "new", uuid, "0");
    await call("ceph-osd", "-i", "0", "--mkfs", "--osd-uuid", uuid);
    start("ceph-osd", "-f", "-i", "0");
    await waitFor("the storage daemon of Ceph", async () =>
      / 1 up/.test((await ask("osd", "stat")).stdout),
    );
    start("radosgw", "-f", "-n", "client.rgw.test");
    await waitFor("the gateway of Ceph", () => fetch(endpoint).catch(() => null));
    await call(
      "radosgw-admin",
      ...["user", "create", "--uid=test", "--display-name=test"],
      ...[`--access-key=${credentials.accessKeyId}`, `--secret-key=${credentials.secretAccessKey}`],
    );
    const client = new AwsClient({ ...credentials, service: "s3", region: "us-east-1" });
    const made = await client.fetch(`${endpoint}/${bucket}`, { method: "PUT" });
    if (!made.ok) throw new Error(`The bucket was not made: ${made.status} ${await made.text()}`);
  }

  const bucket = "lists";
  const endpoint = `http://127.0.0.1:${gateway}`;
  const credentials = { accessKeyId: "AKTEST", secretAccessKey: "test-only-secret" };
  try {
    await startAll();
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, bucket, credentials, stop };
}
