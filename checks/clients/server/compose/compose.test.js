import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { example, withValues } from "../support/example.js";
import { freePort } from "../support/free-port.js";
import { isListed } from "../support/is-listed.js";
import { newFolder } from "../support/new-folder.js";
import { program } from "../support/required-programs.js";
import { sandbox, sandboxSkip } from "../support/sandbox.js";
import { waitFor } from "../support/wait-for.js";

/* Runs the example for containers from the packed packages, as an unprivileged user, with a read-only root folder. */

const skip = sandboxSkip();
const PACK = fileURLToPath(new URL("../../../release/pack.js", import.meta.url));

let folder;
let machine;
const started = [];

before(() => {
  if (skip) return;
  folder = newFolder("services");
  // Other users must be able to enter the folder.
  chmodSync(folder, 0o755);
  execFileSync(process.execPath, [PACK, folder], { stdio: "ignore" });
  machine = sandbox(join(folder, "root"));
  build(example("compose/Dockerfile"));
});
after(() => {
  for (const { child } of started) child.kill("SIGKILL");
});

function runAsRoot(command) {
  const { status, stderr } = machine.run(["sh", "-ec", command]);
  assert.equal(status, 0, `${command}\n${stderr}`);
}

/** Follows a Dockerfile in the sandbox. */
function build(dockerfile) {
  for (const line of dockerfile.split("\n")) {
    const [, instruction, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (instruction === "RUN") runAsRoot(rest);
    else if (instruction === "COPY") {
      const [source, target] = rest.split(" ");
      cpSync(join(folder, source), join(machine.root, target), { recursive: true });
    } else if (instruction !== undefined) {
      assert.match(line, /^FROM node:\d+-slim$|^USER node$/);
    } else assert.match(line, /^(#|$)/);
  }
}

/** Waits until the list in the source is served, changes the source, and waits again. */
async function followsSource(port, source) {
  for (const [listed, other] of [
    ["http://evil.example/bad/", "http://evil.example/good/"],
    ["http://evil.example/good/", "http://evil.example/bad/"],
  ]) {
    writeFileSync(source, `${listed}\n`);
    await waitFor(`${listed} to be listed`, () => isListed(`http://127.0.0.1:${port}`, listed));
    assert.equal(await isListed(`http://127.0.0.1:${port}`, other), false);
  }
}

/** Checks that a process has no capabilities, and cannot gain any. */
function assertNoRights(child) {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  const factOf = (name) => new RegExp(`^${name}:\\s+(.*)$`, "m").exec(status)[1];
  assert.ok(
    factOf("Uid")
      .split("\t")
      .every((id) => Number(id) > 0),
  );
  assert.equal(factOf("NoNewPrivs"), "1");
  for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"]) {
    assert.match(factOf(set), /^0+$/, set);
  }
}

/** Checks that each of the shell commands fails in a service. */
function assertRefused(options, commands) {
  for (const [command, error] of commands) {
    const { status, stderr } = machine.run(["sh", "-c", command], options);
    assert.notEqual(status, 0, command);
    assert.match(stderr, error, command);
  }
}

describe("the file for Docker Compose", () => {
  const { path, skip: missing } = program("docker-compose");
  test("is read as intended", { skip: missing }, () => {
    const file = fileURLToPath(
      new URL("../../../../docs/examples/compose/compose.yaml", import.meta.url),
    );
    const { services } = parse(
      execFileSync(path, ["--file", file, "config"], { encoding: "utf8" }),
    );
    assert.deepEqual(Object.keys(services).sort(), ["init", "publish", "serve"]);
    const after = { init: { condition: "service_completed_successfully" } };
    for (const [name, service] of Object.entries(services)) {
      assert.equal(service.read_only, true);
      assert.deepEqual(service.cap_drop, ["ALL"]);
      assert.deepEqual(service.depends_on, name === "init" ? undefined : after);
      assert.equal(service.network_mode, name === "serve" ? undefined : "none");
    }
    assert.deepEqual(services.serve.ports, ["127.0.0.1:8080:8080/tcp"]);
  });
});

describe("compose", { skip, timeout: 600_000 }, () => {
  const { services, volumes } = parse(example("compose/compose.yaml"), { merge: true });
  const project = () => join(folder, "compose");

  /** The options of the sandbox for a service. Throws if a setting that the sandbox follows is missing. */
  function optionsOf(service) {
    assert.equal(service.read_only, true);
    assert.deepEqual(service.cap_drop, ["ALL"]);
    assert.deepEqual(service.security_opt, ["no-new-privileges:true"]);
    const mounts = service.volumes.map((volume) => {
      const [source, target, mode] = volume.split(":");
      return { source: join(project(), source), target, readOnly: mode === "ro" };
    });
    for (const { target } of mounts) mkdirSync(join(machine.root, target), { recursive: true });
    return { user: "node", mounts, hasNetwork: service.network_mode !== "none" };
  }

  before(() => {
    mkdirSync(join(project(), "sources"), { recursive: true });
    mkdirSync(join(project(), "settings"));
    const settings = "settings/urlhash-server.yaml";
    writeFileSync(join(project(), settings), example(`compose/${settings}`));
    for (const name of Object.keys(volumes)) {
      // A new volume is a copy of the folder at that path in the image.
      cpSync(join(machine.root, name), join(project(), name), { recursive: true });
      chownSync(join(project(), name), 1000, 1000);
    }
  });

  test("the services publish and serve, and can do nothing else", async () => {
    const { init, publish, serve } = services;
    // In the second run, the volumes already have their files.
    for (let i = 0; i < 2; i++) {
      const { status, stderr } = machine.run(init.command, optionsOf(init));
      assert.deepEqual({ status, stderr }, { status: 0, stderr: "" });
    }
    assert.deepEqual(readdirSync(join(project(), "keys")), ["signing.key"]);
    const source = join(project(), "sources/malware.txt");
    writeFileSync(source, "http://evil.example/bad/\n");
    const publisher = machine.start(publish.command.split(" "), optionsOf(publish));
    const port = await freePort();
    started.push(publisher);
    const command = withValues(serve.command, { "0.0.0.0": "127.0.0.1", 8080: `${port}` });
    const server = machine.start(command.split(" "), optionsOf(serve));
    started.push(server);
    await followsSource(port, source);

    for (const { child } of [publisher, server]) assertNoRights(child);
    assertRefused(optionsOf(publish), [
      ["echo > /tmp/x", /Read-only/],
      ["echo > /keys/x", /Read-only/],
      ["echo > /sources/x", /Read-only/],
      [`node -e 'fetch("http://127.0.0.1:${port}/").catch((e) => { throw e.cause })'`, /connect/],
    ]);
    assertRefused(optionsOf(serve), [
      ["echo > /tmp/x", /Read-only/],
      ["echo > /lists/x", /Read-only/],
      ["cat /keys/signing.key", /No such file/],
    ]);
    assert.match(
      readFileSync(join(project(), "metrics/urlhash.prom"), "utf8"),
      /^urlhash_publish_last_run_timestamp_seconds \d+$/m,
    );

    const check = serve.healthcheck.test.slice(1).map((word) => word.replace("8080", port));
    const healthy = () => machine.run(check, optionsOf(serve)).status;
    assert.equal(healthy(), 0);
    assert.equal(await publisher.stop(), 0);
    assert.equal(await server.stop(), 0);
    assert.notEqual(healthy(), 0);
  });
});
