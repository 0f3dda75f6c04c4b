import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { AwsClient } from "aws4fetch";
import { parse } from "yaml";
import { httpStorage } from "../../../../packages/list-store/dist/http/index.js";
import { loadList } from "../../../../packages/list-store/dist/index.js";
import { directoryStorage } from "../../../../packages/list-store/dist/node/index.js";
import { nginxSite } from "../nginx/nginx-site.js";
import { cephGateway, cephPrograms } from "../support/ceph.js";
import { example, withValues } from "../support/example.js";
import { freePort } from "../support/free-port.js";
import { newFolder } from "../support/new-folder.js";
import { program } from "../support/required-programs.js";
import { shell, shellBlocks } from "../support/shell.js";
import { found, load, PUBLIC_KEYS, publishTo } from "../support/test-store.js";
import { waitFor } from "../support/wait-for.js";

/* The recipes in docs/examples/static-host, docs/examples/s3 and docs/examples/cdn. */

const hosts = (count) => Array.from({ length: count }, (_, i) => `h${i}.test/`);
const urls = (count) =>
  `${hosts(count)
    .map((host) => `http://${host}`)
    .join("\n")}\n`;

async function statusOf(origin, host) {
  return (await fetch(`${origin}/lookup/status?url=http://${host}`)).status;
}

const folder = newFolder("stores");

/** A folder for one test. */
function testFolder(name) {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

const nginx = program("nginx");
const git = program("git");

/** The site of docs/examples/static-host for a folder. */
const staticHost = async (name, root, port) =>
  nginxSite({
    ...{ path: nginx.path, folder: join(folder, name), port },
    site: example("static-host/urlhash-store.conf", {
      "listen 80": `listen 127.0.0.1:${port}`,
      "/srv/lists": root,
    }),
  });

describe("a static host", { skip: nginx.skip, timeout: 600_000 }, () => {
  let site;
  let at;
  let commands;
  const [copying, serving] = shellBlocks(example("static-host/README.md"));
  before(async () => {
    at = testFolder("host");
    mkdirSync(join(at, "www"));
    commands = shell(at);
    site = await staticHost("host-nginx", join(at, "www"), await freePort());
  });
  after(() => site?.stop());

  /** Runs only the first command of the README, because the others set up nginx, which is already running. */
  const copy = () => {
    const [command] = copying.split("\n");
    return commands.run(withValues(command, { "/srv/lists": "www" }), { cwd: at });
  };

  test("serves a store, and readers follow it", async () => {
    const publishAndCopy = async (count) => {
      writeFileSync(join(at, "urls.txt"), urls(count));
      await commands.run("urlhash-server publish --store lists malware=urls.txt", { cwd: at });
      await copy();
    };
    await commands.run("urlhash-server init --store lists", { cwd: at });
    await publishAndCopy(3);
    const address = { "http://lists.example": site.origin };
    const server = await commands.serve(withValues(serving, address), { cwd: at });
    try {
      assert.equal(await statusOf(server.origin, "h1.test/"), 403);
      assert.equal(await statusOf(server.origin, "h3.test/"), 200);
    } finally {
      assert.equal(await server.stop(), 0);
    }
    const publicKeys = [readFileSync(join(at, "lists.pub"), "utf8").trim()];
    const storage = httpStorage(`${site.origin}/store/`);
    const first = await load(storage, null, publicKeys);
    await publishAndCopy(4);
    const second = await load(storage, first, publicKeys);
    assert.equal(second.entry.manifest.version, 2);
    assert.deepEqual(await found(storage, second, hosts(5)), hosts(4));
  });

  test("says how long files may be kept, lists nothing, and has nothing else", async () => {
    const get = async (path) => {
      const response = await fetch(`${site.origin}/store/${path}`);
      await response.arrayBuffer();
      return `${response.status} ${response.headers.get("cache-control")}`;
    };
    const immutable = "max-age=31536000, immutable";
    assert.equal(await get("lists/malware/head"), "200 max-age=60");
    assert.equal(await get("lists/malware/v/000000000001"), `200 ${immutable}`);
    assert.equal(await get("lists/malware/v/000000000009"), "404 null");
    const directory = directoryStorage(join(at, "www", "store"));
    const [{ name }] = await directory.list("objects/sha256/");
    const [object] = await directory.list(`objects/sha256/${name}`);
    assert.equal(await get(`objects/sha256/${name}${object.name}`), `200 ${immutable}`);
    for (const path of ["", "lists/", "lists/malware/v/", "objects/sha256/"]) {
      assert.equal(await get(path), "403 null", path);
    }
    assert.equal(existsSync(join(at, "lists.key")), true);
    assert.equal(await get("../lists.key"), "404 null");
  });
});

describe("the workflow for GitHub Pages", { skip: git.skip, timeout: 600_000 }, () => {
  const workflow = parse(example("static-host/pages.yml"));
  const setUp = shellBlocks(example("static-host/README.md"))[2];
  let at;
  let commands;
  let secret;
  const env = {
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    ...{ GIT_AUTHOR_NAME: "t", GIT_AUTHOR_EMAIL: "t@t.test" },
    ...{ GIT_COMMITTER_NAME: "t", GIT_COMMITTER_EMAIL: "t@t.test" },
  };
  const sh = (script, cwd) => commands.run(script, { cwd, env });

  before(async () => {
    at = testFolder("pages");
    commands = shell(at, { npm: 'test "$*" = "install --global ./packed/*.tgz"' });
    await sh("git init --quiet --bare --initial-branch main origin", at);
    await sh("git clone --quiet origin own 2>/dev/null", at);
    const own = join(at, "own");
    writeFileSync(join(own, "urls.txt"), urls(3));
    await sh("git switch --quiet -c main; git add .; git commit --quiet -m List", own);
    await sh("git push --quiet origin main", own);
    await sh(setUp, own);
    secret = readFileSync(join(own, "lists.key"), "utf8").trim();
    await sh("git switch --quiet main", own);
  });

  /** Local replacements for GitHub's own actions. */
  const ACTIONS = {
    "actions/checkout": (work, { ref = "main", path = "." } = {}) =>
      sh(
        `git init --quiet ${path}; cd ${path}; git fetch --quiet --depth 1 file://${at}/origin ${ref}; git checkout --quiet FETCH_HEAD; git remote add origin file://${at}/origin`,
        work,
      ),
    "actions/setup-node": () => {},
    "actions/upload-pages-artifact": (work, { path }) => {
      rmSync(join(work, "artifact"), { recursive: true, force: true });
      cpSync(join(work, path), join(work, "artifact"), { recursive: true });
    },
    "actions/deploy-pages": (work) => {
      rmSync(join(at, "www"), { recursive: true, force: true });
      cpSync(join(work, "artifact"), join(at, "www"), { recursive: true });
    },
  };

  let runs = 0;
  /** Runs the workflow in a new folder, as on a new machine; `until` is the name of the last step. */
  async function runWorkflow(until = null) {
    const work = testFolder(join("pages", `run-${++runs}`));
    const temporary = testFolder(join("pages", `temp-${runs}`));
    for (const step of workflow.jobs.publish.steps) {
      if (step.uses !== undefined) {
        const [name, hash] = step.uses.split("@");
        assert.match(hash, /^[0-9a-f]{40}$/);
        await ACTIONS[name](work, step.with);
        continue;
      }
      const secrets = Object.entries(step.env ?? {}).map(([name, value]) => [
        name,
        withValues(value, { "${{ secrets.SIGNING_KEY }}": secret }),
      ]);
      const cwd = join(work, step["working-directory"] ?? ".");
      const values = { ...Object.fromEntries(secrets), RUNNER_TEMP: temporary };
      // Commits are made as the step says, not as the test's own user.
      await commands.run(step.run, { cwd, env: { ...env, ...values } });
      if (until !== null && step.name === until) return;
    }
    assert.equal(existsSync(join(temporary, "lists.key")), false);
  }

  const change = (count) => {
    const own = join(at, "own");
    writeFileSync(join(own, "urls.txt"), urls(count));
    return sh("git commit --quiet --all -m Change; git push --quiet origin main", own);
  };
  const publicKeys = async () =>
    [await sh("git show origin/store:lists.pub", join(at, "own"))].map((key) => key.trim());
  const site = () => directoryStorage(join(at, "www", "store"));
  const read = async (before) => load(site(), before, await publicKeys());

  test("publishes versions that follow each other", async () => {
    await runWorkflow();
    const first = await read();
    assert.equal(first.entry.manifest.version, 1);
    await runWorkflow();
    assert.equal((await read(first)).entry.manifest.version, 1);
    for (const count of [5, 6, 7, 8, 9]) {
      await change(count);
      await runWorkflow();
    }
    const newest = await read(first);
    assert.equal(newest.entry.manifest.version, 6);
    assert.deepEqual(await found(site(), newest, hosts(10)), hosts(9));
  });

  test("goes on after a run that ended before the site was written", async () => {
    const before = await read();
    await change(11);
    await runWorkflow("Keep the store");
    assert.equal((await read(before)).entry.manifest.version, before.entry.manifest.version);
    await runWorkflow();
    const list = await read(before);
    assert.equal(list.entry.manifest.version, before.entry.manifest.version + 1);
    assert.deepEqual(await found(site(), list, hosts(12)), hosts(11));
  });

  test("keeps one commit, no garbage and no signing key", async () => {
    const own = join(at, "own");
    await sh("git fetch --quiet --force origin store:refs/remotes/origin/store", own);
    assert.equal(await sh("git rev-list --count origin/store", own), "1\n");
    const files = (await sh("git ls-tree -r --name-only origin/store", own)).trim().split("\n");
    assert.deepEqual(
      files.filter((file) => !file.startsWith("lists/")),
      [".gitignore", "lists.except", "lists.pub", "lists.seen", "urlhash-server.yaml"],
    );
    const objects = files.filter((file) => file.startsWith("lists/objects/"));
    const garbage = await sh(
      "urlhash-server gc --store published/lists --set keep.unused=0s --dry-run",
      join(at, `run-${runs}`),
    );
    assert.match(garbage, /\b0 /);
    assert.ok(objects.length > 0);
    // PRIVATE+KEY+<name>+<key ID>+<base64>, and base64 may have more plus signs.
    const secretPart = secret.trim().split("+").slice(4).join("+");
    assert.ok(secretPart.length > 40);
    for (const place of ["www", `run-${runs}/published`]) {
      await assert.rejects(sh(`grep -rqF ${JSON.stringify(secretPart)} ${place}`, at));
    }
  });
});

describe("a CDN", { skip: nginx.skip, timeout: 600_000 }, () => {
  let at;
  let directory;
  let cdn;
  const origins = [];
  const version = (count) => publishTo(directory, hosts(count));
  const storageAt = (origin) => httpStorage(`${origin}/store/`, { retries: 0 });
  const cached = async (path) => {
    const response = await fetch(`${cdn.origin}/store/${path}`);
    await response.arrayBuffer();
    const { status, headers } = response;
    return [status, headers.get("x-cache"), headers.get("cache-control")];
  };

  before(async () => {
    at = testFolder("cdn");
    directory = directoryStorage(join(at, "www", "store"));
    const ports = [await freePort(), await freePort(), await freePort()];
    await version(3);
    for (const [i, name] of ["first", "second"].entries()) {
      origins.push(await staticHost(name, join(at, "www"), ports[i]));
    }
    cdn = await nginxSite({
      ...{ path: nginx.path, folder: join(folder, "cdn-nginx"), port: ports[2] },
      site: example("cdn/urlhash-cdn.conf", {
        "listen 80": `listen 127.0.0.1:${ports[2]}`,
        "/var/cache/nginx": at,
        "192.0.2.1:80": `127.0.0.1:${ports[0]}`,
        "192.0.2.2:80": `127.0.0.1:${ports[1]}`,
      }),
    });
  });
  after(async () => {
    await cdn?.stop();
    for (const origin of origins) await origin.stop();
  });

  test("keeps what never changes for a year, and the hint for a minute", async () => {
    const immutable = "max-age=31536000, immutable";
    for (const [path, kept] of [
      ["lists/malware/v/000000000001", immutable],
      ["lists/malware/head", "max-age=60"],
    ]) {
      assert.deepEqual(await cached(path), [200, "MISS", kept]);
      assert.deepEqual(await cached(path), [200, "HIT", kept]);
      assert.deepEqual(await cached(`${path}?other=1`), [200, "HIT", kept]);
    }
    const { object } = (await load(storageAt(cdn.origin))).entry.manifest.base;
    const path = `objects/sha256/${object.slice(0, 2)}/${object}`;
    assert.deepEqual(await cached(path), [200, "HIT", immutable]);
    assert.equal((await cached("lists/malware/v/000000000007"))[2], "no-store");
  });

  test("asks the second host when the first one is stopped", async () => {
    await origins.shift().stop();
    await version(4);
    const list = await load(storageAt(origins[0].origin));
    assert.equal(list.entry.manifest.version, 2);
    const { object } = list.entry.manifest.base;
    const path = `objects/sha256/${object.slice(0, 2)}/${object}`;
    assert.deepEqual((await cached(path)).slice(0, 2), [200, "MISS"]);
  });

  test("readers verify and update while both hosts are stopped", async () => {
    const [origin] = origins;
    // One reader has an older version, and another has read the newest one from the cache.
    const old = await load(storageAt(origin.origin));
    await version(6);
    let other = null;
    // The cache keeps the answer that a version is missing for five seconds.
    await waitFor("the newest version", async () => {
      other = await load(storageAt(cdn.origin), other);
      return other.entry.manifest.version === 3;
    });
    assert.deepEqual(await found(storageAt(cdn.origin), other, hosts(7)), hosts(6));
    // Other readers have updated, and new ones have started, since the newest version has been in the cache.
    for (const before of [old, null]) await load(storageAt(cdn.origin), before);
    await origins.pop().stop();
    await assert.rejects(fetch(origin.origin));
    const storage = storageAt(cdn.origin);
    for (const before of [old, null, other]) {
      const list = await load(storage, before);
      assert.equal(list.entry.manifest.version, 3);
      assert.deepEqual(await found(storage, list, hosts(7)), hosts(6));
    }
    // A list that nobody has asked for is an error, never an empty list.
    const unknown = { storage, list: "unwanted-software", publicKeys: PUBLIC_KEYS };
    await assert.rejects(loadList(unknown), { code: "unreachable" });
  });
});

const ceph = cephPrograms();

describe("a bucket", { skip: ceph.skip, timeout: 600_000 }, () => {
  const [publishing, serving, reading] = shellBlocks(example("s3/README.md"));
  let gateway;
  let at;
  let commands;
  let values;
  before(async () => {
    gateway = await cephGateway(ceph.paths);
    at = testFolder("s3");
    commands = shell(at);
    const { accessKeyId, secretAccessKey } = gateway.credentials;
    values = {
      AKPUBLISHER: accessKeyId,
      "not-a-real-secret": secretAccessKey,
      "https://s3.example": gateway.endpoint,
      "my-bucket": gateway.bucket,
    };
  });
  after(() => gateway?.stop());

  test("takes new versions, serves them, and can be read without a server", async () => {
    writeFileSync(join(at, "urls.txt"), urls(3));
    await commands.run(withValues(publishing, values), { cwd: at });
    const { endpoint, bucket, credentials } = gateway;
    const env = {
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    };
    const script = withValues(serving, { "my-bucket": bucket });
    const server = await commands.serve(script, { cwd: at, env });
    try {
      assert.equal(await statusOf(server.origin, "h1.test/"), 403);
      assert.equal(await statusOf(server.origin, "h3.test/"), 200);
    } finally {
      assert.equal(await server.stop(), 0);
    }
    const show = withValues(reading, { "https://s3.example": endpoint, "my-bucket": bucket });
    await assert.rejects(commands.run(show, { cwd: at }), /refuses|refused/);
    const client = new AwsClient({ ...credentials, service: "s3", region: "us-east-1" });
    const policy = example("s3/public-reading.json", { "my-bucket": bucket });
    const put = await client.fetch(`${endpoint}/${bucket}?policy`, { method: "PUT", body: policy });
    assert.ok(put.ok, await put.text());
    assert.match(await commands.run(show, { cwd: at }), /3/);
    const address = `${endpoint}/${bucket}/lists/`;
    assert.equal((await fetch(address)).status, 403);
    const storage = httpStorage(address);
    const publicKeys = [readFileSync(join(at, "lists.pub"), "utf8").trim()];
    const list = await load(storage, null, publicKeys);
    assert.deepEqual(await found(storage, list, hosts(4)), hosts(3));
  });
});
