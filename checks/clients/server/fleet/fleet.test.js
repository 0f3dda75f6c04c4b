import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { nginxSite } from "../nginx/nginx-site.js";
import { background } from "../support/background.js";
import { settings, URLHASH_SERVER, urlhashServer } from "../support/commands.js";
import { example, withValues } from "../support/example.js";
import { freePort } from "../support/free-port.js";
import { newFolder } from "../support/new-folder.js";
import { program } from "../support/required-programs.js";
import { waitFor } from "../support/wait-for.js";

/* Runs docs/examples/fleet: three servers behind one nginx. */

const { path, skip } = program("nginx");
const SERVERS = [1, 2, 3];
/** The number of clients, and how many milliseconds each of them pauses after an answer. */
const CLIENTS = 12;
const PAUSE = 10;
const HOSTS = Array.from({ length: 20_000 }, (_, i) => `http://h${i}.test/`);

describe("the file for Docker Compose", () => {
  const compose = program("docker-compose");
  test("gives each server the address that nginx asks", { skip: compose.skip }, () => {
    const file = fileURLToPath(
      new URL("../../../../docs/examples/fleet/compose.yaml", import.meta.url),
    );
    const args = ["--file", file, "config"];
    const { services } = parse(execFileSync(compose.path, args, { encoding: "utf8" }));
    assert.deepEqual(Object.keys(services).sort(), ["nginx", ...SERVERS.map((n) => `serve-${n}`)]);
    const addresses = SERVERS.map((n) => services[`serve-${n}`].networks.fleet.ipv4_address);
    const asked = example("fleet/urlhash-fleet.conf").matchAll(/server ([\d.]+):8080/g);
    assert.deepEqual([...new Set([...asked].map(([, address]) => address))], addresses);
    // A server takes at most ten seconds to stop.
    for (const n of SERVERS) assert.equal(services[`serve-${n}`].stop_grace_period, "20s");
  });
});

describe("three servers behind nginx", { skip, timeout: 600_000 }, () => {
  const { services } = parse(example("fleet/compose.yaml"), { merge: true });
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  let folder;
  let nginx;
  let servers;
  /** The ports on which nginx checks that each server is ready. */
  let gates;

  const storeOf = (n) => join(folder, `store-${n}`);

  /** A server with the command of its service, which reads the store through its own symbolic link. */
  async function server(n) {
    const port = await freePort();
    const command = withValues(services[`serve-${n}`].command, {
      "s3://my-bucket/lists": storeOf(n),
      "/lists.pub": join(folder, "lists.pub"),
      "/seen/versions": join(folder, `seen-${n}`),
      "0.0.0.0:8080": `127.0.0.1:${port}`,
      "poll=10s": "poll=1s",
    });
    const [, ...args] = command.trim().split(/\s+/);
    const origin = `http://127.0.0.1:${port}`;
    let program;
    const isReady = async () => (await fetch(`${origin}/readyz`).catch(() => null))?.ok ?? null;
    return {
      port,
      isReady,
      async start() {
        program = background(process.execPath, [URLHASH_SERVER, ...args], { stdio: "ignore" });
        await program.until(`server ${n} to be ready`, isReady);
      },
      signal: (name) => program.child.kill(name),
      /** Stops the server as an operator does, and returns its exit status. */
      stop: () => program.stop(),
      /** The number of requests for whole lists that the server has answered. */
      async answered() {
        const text = await (await fetch(`${origin}/metrics`)).text();
        const counts = text.matchAll(/^urlhash_updates_total\{.*\} (\d+)$/gm);
        return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
      },
    };
  }

  function takeStore(n) {
    unlinkSync(storeOf(n));
    // A symbolic link to itself cannot be read, like a bucket that does not answer.
    symlinkSync(storeOf(n), storeOf(n));
  }

  function giveStore(n) {
    rmSync(storeOf(n), { force: true });
    symlinkSync(join(folder, "lists"), storeOf(n));
  }

  async function publish(count) {
    const source = join(folder, "urls.txt");
    writeFileSync(source, `${HOSTS.slice(0, count).join("\n")}\n`);
    const store = join(folder, "lists");
    const options = ["--store", store, ...settings({ "max-removed": "100%" })];
    await urlhashServer("publish", ...options, `malware=${source}`);
  }

  /** Sends a request to nginx, and returns the status and the text of the answer. */
  function ask(target, body = null) {
    return new Promise((resolve, reject) => {
      const method = body === null ? "GET" : "POST";
      const headers = body === null ? {} : { "Content-Type": "application/json" };
      request(nginx.origin + target, { agent, method, headers }, async (response) => {
        try {
          const text = Buffer.concat(await response.toArray()).toString("latin1");
          resolve({ status: response.statusCode, text });
        } catch (error) {
          reject(error);
        }
      })
        .on("error", reject)
        .end(body);
    });
  }

  const isListed = async (i) => {
    const { status } = await ask(`/lookup/status?url=${encodeURIComponent(HOSTS[i])}`);
    assert.ok(status === 403 || status === 200, `status ${status}`);
    return status === 403;
  };

  before(async () => {
    folder = newFolder("fleet");
    await urlhashServer("init", "--store", join(folder, "lists"));
    await publish(19_000);
    for (const n of SERVERS) giveStore(n);
    servers = await Promise.all(SERVERS.map(server));
    await Promise.all(servers.map((each) => each.start()));
    const port = await freePort();
    gates = await Promise.all(SERVERS.map(freePort));
    const addresses = servers.map((each, i) => [
      `172.30.0.1${i + 1}:8080`,
      `127.0.0.1:${each.port}`,
    ]);
    nginx = await nginxSite({
      ...{ path, folder: join(folder, "nginx"), port },
      site: example("fleet/urlhash-fleet.conf", {
        "listen 80": `listen 127.0.0.1:${port}`,
        "/var/cache/nginx": folder,
        ...Object.fromEntries(addresses),
        ...Object.fromEntries(gates.map((gate, i) => [`900${i + 1}`, `${gate}`])),
      }),
    });
  });
  after(async () => {
    agent.destroy();
    await nginx?.stop();
    for (const each of servers ?? []) {
      each.signal("SIGCONT");
      await each.stop();
    }
  });

  const wholeList = (n) => ask(`/v5/hashList/mw-4b?n=${n}`);
  const counts = () => Promise.all(servers.map((each) => each.answered()));

  test("every server gets requests, and metrics of a single server are not passed on", async () => {
    for (let i = 0; i < 12; i++) assert.equal((await wholeList(i)).status, 200);
    assert.ok((await counts()).every((count) => count > 0));
    assert.equal((await ask("/metrics")).status, 404);
  });

  test("a stale server is taken out, and comes back", async () => {
    const [stale, ...others] = servers;
    takeStore(1);
    await publish(19_500);
    assert.equal(await isListed(18_999), true);
    await waitFor("the first server to notice", async () => (await stale.isReady()) === false);
    await waitFor("the others to follow", async () => {
      const answers = await Promise.all(Array.from({ length: 12 }, () => isListed(19_400)));
      return answers.every((listed) => listed);
    });
    assert.deepEqual(await Promise.all(others.map((each) => each.isReady())), [true, true]);
    const before = await stale.answered();
    for (let i = 0; i < 30; i++) {
      assert.equal(await isListed(19_400), true);
      assert.equal((await wholeList(i)).status, 200);
    }
    assert.equal(await stale.answered(), before);
    giveStore(1);
    await waitFor("the first server to be asked again", async () => {
      assert.equal((await wholeList(0)).status, 200);
      return (await stale.answered()) > before;
    });
    assert.equal(await isListed(19_400), true);
  });

  test("errors that a client can cause take no server out", async () => {
    // The token of a list that is not in the store.
    const token = Buffer.from("gone.1.0123456789abcdef").toString("base64");
    for (let i = 0; i < 12; i++) {
      const target = `/v5/hashList/gone-4b?version=${encodeURIComponent(token)}&n=${i}`;
      assert.equal((await ask(target)).status, 503);
    }
    const before = await counts();
    for (let i = 0; i < 12; i++) assert.equal((await wholeList(100 + i)).status, 200);
    const after = await counts();
    assert.ok(after.every((count, i) => count > before[i]));
  });

  test("if no server is ready, the lists that they have are served", async () => {
    for (const n of SERVERS) takeStore(n);
    try {
      for (const each of servers) {
        await waitFor("no server to be ready", async () => (await each.isReady()) === false);
      }
      await waitFor("the gates to be closed", async () => (await ask("/readyz")).status === 503);
      for (let i = 0; i < 12; i++) assert.equal((await wholeList(200 + i)).status, 200);
    } finally {
      for (const n of SERVERS) giveStore(n);
    }
    for (const each of servers) await waitFor("every server to be ready", each.isReady);
  });

  /** Sends requests until it is stopped, and checks that every answer is complete and correct. */
  function load() {
    const [failures, sums] = [[], { answers: 0 }];
    let isOver = false;
    const url = HOSTS[5];
    const lookUp = JSON.stringify({ urls: [url] });
    const kinds = [
      async (n) => {
        const { status, text } = await wholeList(n);
        return status === 200 && text === whole.text;
      },
      async () => (await ask(`/lookup/status?url=${encodeURIComponent(url)}`)).status === 403,
      async () => (await ask("/lookup", lookUp)).text.includes('"listed":true'),
      async () => (await ask("/v5/hashLists:batchGet?names=mw-4b")).status === 200,
    ];
    let whole;
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      whole ??= await wholeList("first");
      for (let n = client; !isOver; n++) {
        const kind = n % kinds.length;
        const isRight = await kinds[kind](n).catch((error) => error);
        sums.answers++;
        if (isRight !== true) failures.push(`kind ${kind}: ${isRight}`);
        await pause(PAUSE);
      }
    });
    return {
      sums,
      async end() {
        isOver = true;
        await Promise.all(clients);
        return failures;
      },
    };
  }

  test("a server that hangs is taken out", async () => {
    const gate = async () => {
      const signal = AbortSignal.timeout(2000);
      const answer = await fetch(`http://127.0.0.1:${gates[1]}/healthz`, { signal });
      return answer.status;
    };
    await waitFor("its gate to be open", async () => (await gate()) === 200);
    servers[1].signal("SIGSTOP");
    try {
      await waitFor("its gate to be closed", async () => (await gate().catch(() => null)) === 502);
      for (let i = 0; i < 12; i++) assert.equal(await isListed(5), true);
    } finally {
      servers[1].signal("SIGCONT");
    }
    await waitFor("the server to go on", servers[1].isReady);
  });

  test("restarting one server after the other loses no request", async () => {
    const { sums, end } = load();
    const during = [];
    for (const each of servers) {
      const before = sums.answers;
      assert.equal(await each.stop(), 0);
      await waitFor("answers without it", () => sums.answers > before + 50);
      await each.start();
      await waitFor("it to be asked again", async () => (await each.answered()) > 0);
      during.push(sums.answers - before);
    }
    assert.deepEqual(await end(), []);
    assert.ok(during.every((count) => count > 50));
  });
});
