import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse, parseAllDocuments, stringify } from "yaml";
import { ROOT } from "../repository.ts";
import { addressOf, SERVER } from "./list-server.ts";

/*
 * Runs the commands of the examples unchanged, with the built command, in the test's own folders.
 */

const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

/** The commands of an example, for a shell. */
interface Commands {
  readonly init: string;
  readonly publish: string;
  readonly serve: string;
}

let folder: string;
let children: ChildProcess[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "examples-"));
  children = [];
});
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** Quotes a path, so that a shell reads it as one word. */
const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

const RUN_SERVER = `${quoted(process.execPath)} ${quoted(SERVER)}`;

/** Puts the command into the test's own `bin`. */
function makeCommand(): void {
  const path = join(folder, "bin/urlhash-server");
  mkdirSync(join(folder, "bin"));
  writeFileSync(path, `#!/bin/sh\nexec ${RUN_SERVER} "$@"\n`, { mode: 0o755 });
}

/** Replaces values in a text. All of them must occur in it. */
function withValues(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((result, [value, other]) => {
    expect(result).toContain(value);
    return result.replaceAll(value, other);
  }, text);
}

/** Replaces the paths of a container's folders, and of the files in them, with paths in the test's folder. */
function withFolders(text: string, folders: readonly string[], at: (name: string) => string) {
  return folders.reduce(
    (result, path) =>
      result.replaceAll(new RegExp(`(?<![\\w/])${path}(?=[/\\s]|$)`, "g"), at(path.slice(1))),
    text,
  );
}

/** An environment in which the test's own `bin` comes first on the PATH. */
function environment(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}` };
}

/** Starts a command as a service manager does: signals reach it, not a shell. */
function start(command: string): ChildProcess {
  const stdio = ["ignore", "pipe", "pipe"] as const;
  const child = spawn("sh", ["-c", `exec ${command}`], { stdio: [...stdio], env: environment() });
  children.push(child);
  return child;
}

async function isListed(address: string, url: string): Promise<boolean | null> {
  const body = JSON.stringify({ urls: [url] });
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(`${address}/lookup`, { method: "POST", headers, body });
  if (!response.ok) return null;
  const { verdicts } = (await response.json()) as { verdicts: { listed: boolean }[] };
  return verdicts[0]!.listed;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(100);
}

async function stop(child: ChildProcess): Promise<unknown> {
  child.kill("SIGTERM");
  return (await once(child, "exit"))[0];
}

/** Runs the commands until a change to the source is served. Both keep running until `end`. */
async function publishesAndServes({ init, publish, serve }: Commands, source: string) {
  writeFileSync(source, "http://evil.example/bad/\n");
  // In the second run, the keys, the store and the folders already exist.
  for (let i = 0; i < 2; i++) {
    const made = spawnSync("sh", ["-ec", init], { encoding: "utf8", env: environment() });
    expect(made).toMatchObject({ status: 0, stderr: "" });
  }
  const publisher = start(publish);
  const server = start(serve);
  const address = await addressOf(server);
  await until(async () => (await isListed(address, "http://evil.example/bad/x")) === true);
  expect(await isListed(address, "http://evil.example/good/x")).toBe(false);
  writeFileSync(source, "http://evil.example/good/\n");
  await until(async () => (await isListed(address, "http://evil.example/good/x")) === true);
  expect(await isListed(address, "http://evil.example/bad/x")).toBe(false);
  return { end: async () => [await stop(publisher), await stop(server)] };
}

describe("systemd", () => {
  const units = ["urlhash-publish.service", "urlhash-serve.service"];

  const has = spawnSync("systemd-analyze", ["--version"]).error === undefined;
  test.skipIf(!has)("systemd verifies the units, and rates them as the README says", () => {
    writeFileSync(
      join(folder, "urlhash-serve.socket"),
      read("docs/examples/systemd/urlhash-serve.socket"),
    );
    const files = units.map((name) => {
      const file = join(folder, name);
      const unit = read(`docs/examples/systemd/${name}`);
      writeFileSync(file, withValues(unit, { "/usr/local/bin/urlhash-server": process.execPath }));
      return file;
    });
    const options = { encoding: "utf8" } as const;
    expect(spawnSync("systemd-analyze", ["verify", ...files], options)).toMatchObject({
      status: 0,
      stderr: "",
    });
    for (const file of files) {
      const argv = ["security", "--offline=true", "--threshold=20", file];
      expect(spawnSync("systemd-analyze", argv, options).status).toBe(0);
    }
  });
});

describe("prometheus and grafana", () => {
  const { groups } = parse(read("docs/examples/prometheus/urlhash-rules.yml")) as {
    readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
  };
  const rules = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
  const { panels } = JSON.parse(read("docs/examples/grafana/urlhash-dashboard.json")) as {
    readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
  };
  const expressions = [
    ...rules,
    ...panels.flatMap(({ targets }) => targets.map((each) => each.expr)),
  ];

  test("the rules and the dashboard use only metrics that the server and the publisher have", async () => {
    const store = join(folder, "lists");
    const source = join(folder, "malware.txt");
    const file = join(folder, "urlhash.prom");
    writeFileSync(source, "http://evil.example/bad/\n");
    const feed = createServer((_, response) => response.end("http://worse.example/\n"));
    await once(feed.listen(0, "127.0.0.1"), "listening");
    const { port } = feed.address() as AddressInfo;
    const sources = `malware=${quoted(source)} malware=http://127.0.0.1:${port}/feed.txt`;
    for (const words of ["init", `publish --set metrics=${quoted(file)} ${sources}`]) {
      const command = `${RUN_SERVER} ${words} --store ${quoted(store)}`;
      expect(await once(start(command), "exit")).toEqual([0, null]);
    }
    feed.close();
    const copyFile = join(folder, "urlhash-copy.prom");
    const copy = `copy --from ${quoted(store)} --to ${quoted(join(folder, "copy"))}`;
    const copied = start(`${RUN_SERVER} ${copy} --metrics ${quoted(copyFile)}`);
    expect(await once(copied, "exit")).toEqual([0, null]);
    const server = start(`${RUN_SERVER} serve --store ${quoted(store)} --port 0`);
    const address = await addressOf(server);
    for (const path of [
      "/readyz",
      "/v5/hashLists:batchGet?names=mw-4b",
      "/v5/hashes:search?hashPrefixes=AAAAAA==",
    ]) {
      expect((await fetch(`${address}${path}`)).status).toBe(200);
    }
    expect(await isListed(address, "http://evil.example/bad/")).toBe(true);
    // Only a server with HTTPS has this metric.
    const ofCertificate = "urlhash_certificate_expiration_timestamp_seconds";
    const served = await (await fetch(`${address}/metrics`)).text();
    const metrics = [served, ...[file, copyFile].map((each) => readFileSync(each, "utf8"))].join(
      "\n",
    );

    const named = expressions
      .flatMap((text) => [...text.matchAll(/((?:urlhash|process|nodejs)_\w+)(?:\{(.*?)\})?/g)])
      .filter(([, name]) => name !== ofCertificate);
    expect(named.length).toBeGreaterThan(expressions.length);
    for (const [, name, matchers = ""] of named) {
      const samples = metrics.split("\n").filter((line) => new RegExp(`^${name}[ {]`).test(line));
      expect(samples, name).not.toEqual([]);
      for (const [, label] of matchers.matchAll(/(\w+)[!=]~?"/g)) {
        // Prometheus adds the labels `instance` and `job`.
        if (label === "instance" || label === "job") continue;
        expect(samples[0], name).toContain(`${label}="`);
      }
    }
    // These metrics have one sample for each value that a rule can name.
    const reasons = rules.flatMap(
      (text) => /_kept\{reason=~?"(.*)"\}/.exec(text)?.[1]?.split("|") ?? [],
    );
    expect(reasons.length).toBeGreaterThan(1);
    for (const reason of reasons) {
      expect(metrics).toContain(`{list="malware",reason="${reason}"} 0`);
    }
    expect(metrics).toContain('{route="readyz",status="200"}');
    expect(metrics).toContain('{list="malware",reason="new-client"}');
    expect(await stop(server)).toBe(0);
  });
});

interface Container {
  readonly args: readonly string[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly lifecycle?: {
    readonly preStop: { readonly exec: { readonly command: readonly string[] } };
  };
  readonly [probe: `${string}Probe`]: {
    readonly httpGet: { readonly path: string; readonly port: string };
  };
}

interface Manifest {
  readonly kind: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template?: {
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly [Container];
      };
    };
  };
}

describe("kubernetes", () => {
  const manifests = parseAllDocuments(read("docs/examples/kubernetes/urlhash.yaml"), {
    merge: true,
  }).map((document) => document.toJS() as Manifest);
  const settings = manifests.find(({ kind }) => kind === "ConfigMap")!.data![
    "urlhash-server.yaml"
  ]!;
  const podOf = (name: string) =>
    manifests.find((each) => each.metadata.name === name && each.kind === "StatefulSet")!.spec
      .template!.spec;

  test("the commands of the pods publish and serve, and the probes get their answers", async () => {
    const at = (path: string) => join(folder, path);
    const folders = ["/files", "/hashes", "/keys", "/public", "/seen", "/settings", "/sources"];
    for (const path of folders) mkdirSync(at(path));
    makeCommand();
    const { tls, ...written } = parse(
      withValues(withFolders(settings, folders, at), {
        "s3://lists/store": at("store"),
        "0.0.0.0:8080": "127.0.0.1:0",
        "0.0.0.0:8081": `unix:${at("admin.sock")}`,
      }),
    );
    expect(tls).toEqual({ certificate: "/tls/tls.crt", key: "/tls/tls.key" });
    writeFileSync(at("settings/urlhash-server.yaml"), stringify(written));
    const commandOf = (name: string) =>
      podOf(name)
        .containers[0].args.map((word) => quoted(word.replaceAll(/(?<==)\/(?=\w)/g, `${folder}/`)))
        .join(" ");
    const serve = commandOf("urlhash-serve");
    const init = `test -e ${quoted(at("store"))} || {
      urlhash-server init --store ${quoted(at("store"))} --set files=${quoted(at("files/lists"))}
      cp ${quoted(at("files/lists.key"))} ${quoted(at("keys/signing.key"))}
      cp ${quoted(at("files/lists.pub"))} ${quoted(at("public/lists.pub"))}
    } > ${quoted(at("said"))} 2>&1`;
    const publish = commandOf("urlhash-publish");
    const { end } = await publishesAndServes({ init, publish, serve }, at("sources/malware.txt"));
    const { startupProbe, readinessProbe, livenessProbe, ports } =
      podOf("urlhash-serve").containers[0];
    for (const { httpGet } of [startupProbe!, readinessProbe!, livenessProbe!]) {
      expect(ports!.map(({ name }) => name)).toContain(httpGet.port);
      const status = await new Promise((resolve) => {
        get({ socketPath: at("admin.sock"), path: httpGet.path }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
      });
      expect(status).toBe(200);
    }
    expect(await end()).toEqual([0, 0]);
  });

  test("a pod has the time to stop", () => {
    const { terminationGracePeriodSeconds: grace, containers } = podOf("urlhash-serve");
    const [, seconds] = containers[0].lifecycle!.preStop.exec.command;
    // The server waits up to ten seconds for answers in progress.
    expect(grace).toBeGreaterThan(Number(seconds) + 10);
  });
});
