import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import S3rver from "s3rver";
import { httpStorage } from "../../../../packages/list-store/dist/http/index.js";
import { directoryStorage } from "../../../../packages/list-store/dist/node/index.js";
import { s3Storage } from "../../../../packages/list-store/dist/s3/index.js";
import { READING_CASES, STORAGE_CASES } from "../../../support/storage-cases.js";
import { nginxSite } from "../nginx/nginx-site.js";
import { cephGateway, cephPrograms } from "../support/ceph.js";
import { settings, URLHASH_SERVER } from "../support/commands.js";
import { freePort } from "../support/free-port.js";
import { newFolder } from "../support/new-folder.js";
import { program } from "../support/required-programs.js";
import { load, publishTo } from "../support/test-store.js";

const ceph = cephPrograms();

describe("a store on Ceph's gateway", { skip: ceph.skip, timeout: 600_000 }, () => {
  let gateway;
  const newStorage = (options) => {
    const { endpoint, bucket, credentials } = gateway;
    return s3Storage({ endpoint, bucket, credentials, prefix: randomUUID(), ...options });
  };
  before(async () => {
    gateway = await cephGateway(ceph.paths);
  });
  after(() => gateway?.stop());

  for (const { name, run } of STORAGE_CASES) test(name, () => run(() => newStorage()));

  test("one of many publishers makes each version", async () => {
    const storage = newStorage({ prefix: "many/publishers" });
    const hosts = Array.from({ length: 6 }, (_, i) => `${i}.test/`);
    await publishTo(storage, ["first.test/"]);
    const ended = await Promise.allSettled(hosts.map((host) => publishTo(storage, [host])));
    const published = ended.filter(({ status }) => status === "fulfilled");
    const versions = published.map(({ value }) => value.manifest.version);
    assert.equal(new Set(versions).size, versions.length);
    const newest = await load(storage);
    assert.equal(newest.entry.manifest.version, Math.max(...versions));
    for (const { status, reason } of ended) {
      if (status === "rejected") assert.equal(reason.name, "StoreError");
    }
    const listed = (await storage.list("lists/malware/v/")).map(({ name }) => Number(name));
    assert.deepEqual(
      listed,
      Array.from({ length: Math.max(...versions) }, (_, i) => i + 1),
    );
  });

  test("urlhash-server publishes to it, and copies it", async () => {
    const folder = newFolder("copy");
    const { endpoint, bucket, credentials } = gateway;
    const env = {
      ...process.env,
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    };
    const run = async (...args) => {
      const options = { cwd: folder, env };
      return (await promisify(execFile)(process.execPath, [URLHASH_SERVER, ...args], options))
        .stdout;
    };
    const [store, mirror] = [`s3://${bucket}/command/lists`, `s3://${bucket}/command/mirror`];
    writeFileSync(join(folder, "urls.txt"), "http://one.test/\nhttp://two.test/\n");
    await run("init", "--store", store);
    await run("publish", "--store", store, "malware=urls.txt");
    await run("withdraw", "--store", store, "malware");
    await run("rollback", "--store", store, "malware", "1");
    assert.match(await run("copy", "--from", store, "--to", mirror), /the copy is at version 3$/m);
    assert.match(
      await run("copy", "--from", mirror, "--to", "copy", ...settings({ files: "lists" })),
      /3$/m,
    );
    await run("gc", "--store", store, ...settings({ "keep.unused": "0s" }));
    const copied = ["--store", "copy", ...settings({ files: "lists" }), "malware"];
    assert.equal(await run("log", ...copied), await run("log", "--store", store, "malware"));
    assert.match(await run("show", ...copied), /that of 2 prefixes/);
  });

  const refusals = [
    [{ bucket: "no-such-bucket" }, "not-a-store", /no bucket no-such-bucket/],
    [
      { credentials: { accessKeyId: "AKNOBODY", secretAccessKey: "test-only" } },
      "refused",
      /AWS_ACCESS_KEY_ID/,
    ],
    [
      { credentials: { accessKeyId: "AKTEST", secretAccessKey: "test-only-wrong" } },
      "refused",
      /AWS_SECRET_ACCESS_KEY/,
    ],
    [{ now: () => Date.now() - 60 * 60 * 1000 }, "wrong-clock", /clock of this machine/],
  ];
  for (const [options, code, message] of refusals) {
    test(`a wrong setting is named: ${message.source}`, async () => {
      const storage = newStorage(options);
      await assert.rejects(load(storage), { code, message });
      await assert.rejects(publishTo(storage, ["one.test/"]), { code, message });
      await assert.rejects(storage.list(""), { code, message });
    });
  }
});

describe("an S3 server that ignores create-only", { timeout: 600_000 }, () => {
  let folder;
  let server;
  let storage;
  before(async () => {
    folder = newFolder("s3rver");
    server = new S3rver({
      ...{ address: "127.0.0.1", port: 0, silent: true, directory: folder },
      configureBuckets: [{ name: "lists" }],
    });
    const { port } = await server.run();
    storage = s3Storage({
      ...{ bucket: "lists", endpoint: `http://127.0.0.1:${port}` },
      credentials: { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" },
    });
  });
  after(async () => {
    await server?.close();
  });

  test("is refused before anything is written", async () => {
    const written = [];
    const recorded = {
      ...storage,
      create: (key, bytes) => storage.create(key, bytes, written.push(key)),
      put: (key, bytes) => storage.put(key, bytes, written.push(key)),
    };
    await assert.rejects(publishTo(recorded, ["one.test/"]), {
      name: "StoreError",
      code: "not-create-only",
    });
    assert.ok(written.length > 0);
    assert.deepEqual([...new Set(written.map((key) => key.split("-")[0]))], ["tmp/publisher"]);
    assert.deepEqual(await storage.list(""), []);
  });

  test("can be read", async () => {
    const reading = STORAGE_CASES.filter(({ name }) =>
      READING_CASES.some((each) => each.name === name),
    );
    assert.equal(reading.length, READING_CASES.length);
    for (const { run } of reading) await run(() => storage);
  });
});

const nginx = program("nginx");

/**
 * Two static hosts without listings. The second one sends the same page for every missing file.
 */
const site = (folder, [port, app]) => `
default_type application/octet-stream;
gzip on;
gzip_types *;
gzip_min_length 1;
root ${folder}/www;
server { listen 127.0.0.1:${port}; }
server {
  listen 127.0.0.1:${app};
  location / { try_files $uri /index.html; }
}
`;

describe("a store on nginx", { skip: nginx.skip, timeout: 600_000 }, () => {
  let folder;
  let host;
  const origins = [];
  before(async () => {
    folder = newFolder("static");
    mkdirSync(join(folder, "www"));
    writeFileSync(join(folder, "www", "index.html"), "<!doctype html>\n<title>App</title>\n");
    const ports = [await freePort(), await freePort()];
    origins.push(...ports.map((port) => `http://127.0.0.1:${port}`));
    host = await nginxSite({
      ...{ path: nginx.path, folder: join(folder, "nginx"), port: ports[1] },
      site: site(folder, ports),
    });
  });
  after(async () => {
    await host?.stop();
  });

  for (const { name, run } of READING_CASES) {
    test(name, () => {
      const path = randomUUID();
      return run(directoryStorage(join(folder, "www", path)), () =>
        httpStorage(`${origins[0]}/${path}/`),
      );
    });
  }

  test("is refused when a page is sent for each missing file", async () => {
    const storage = httpStorage(`${origins[1]}/nothing/`);
    await assert.rejects(load(storage), { code: "not-a-store", message: /web page/ });
  });
});
