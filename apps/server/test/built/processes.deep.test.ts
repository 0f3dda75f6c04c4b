import { execFileSync, spawn, spawnSync } from "node:child_process";
import { constants, renameSync, writeFileSync } from "node:fs";
import { open, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hashApiKey } from "../../src/serve/api-keys.ts";
import { SHARES } from "../../src/serve/fairness.ts";
import { COMMAND, type Run, start, waitFor, watched } from "../support/command.ts";
import { linesOf, logged } from "../support/json-log.ts";
import { get, servedFolder } from "../support/served-folder.ts";
import { otherServer } from "../support/upstream.ts";

/* Several processes serve as one. They are killed and stopped while clients ask all the time. */

const folder = servedFolder();
/** One beside the first is enough, unless a test kills several, or they must also agree among themselves. */
const PROCESSES = 2;

/** Asks over a new connection, which any process may accept. A process that is stopped does not answer. */
async function ask(url: string, most = 3000): Promise<{ status: number; text: string } | null> {
  const options = { headers: { connection: "close" }, signal: AbortSignal.timeout(most) };
  try {
    const response = await fetch(url, options);
    return { status: response.status, text: await response.text() };
  } catch {
    return null;
  }
}

/** The processes that have said that they serve, with the newest process of each number. */
const servingIn = (server: Pick<Run, "stdout">) =>
  new Map(
    linesOf(server).flatMap(({ msg, process: number, pid }) =>
      msg === "started" ? [[Number(number), Number(pid)]] : [],
    ),
  );

const childrenOf = ({ child: { pid } }: Pick<Run, "child">) => {
  const found = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
  return found.stdout.split("\n").map(Number).filter(Boolean);
};

async function startedProcesses({ processes = PROCESSES }, ...args: string[]) {
  const sets = [`processes=${processes}`, "admin=127.0.0.1:0", ...args];
  const server = await folder.started(...sets.flatMap((each) => ["--set", each]));
  await waitFor("all processes", () => servingIn(server).size === processes);
  const admin = /healthz are at (\S+)/.exec(server.stderr())![1]!;
  const readiness = () => ask(`${admin}/readyz`);
  const ready = async () => (await readiness())?.status === 200;
  const metric = async (line: string) => {
    const { text } = (await waitFor("metrics", () => ask(`${admin}/metrics`)))!;
    const [, number] = new RegExp(`^${line} (\\S+)$`, "m").exec(text) ?? [];
    return Number(number);
  };
  return { server, admin, readiness, ready, metric };
}

/** Connects this many clients, which send the head of a lookup. */
function lookingUp(count: number, { origin }: { readonly origin: string }, headers: string) {
  return Array.from({ length: count }, () => {
    const client = { socket: connect(Number(new URL(origin).port), "127.0.0.1"), received: "" };
    client.socket.setEncoding("latin1").on("data", (data: string) => {
      client.received += data;
    });
    client.socket.write(`POST /lookup HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\n`);
    return client;
  });
}

/** Asks about a listed and another URL, each over a new connection, until it is stopped. */
function askAllTheTime(origin: string) {
  let isOver = false;
  const counts = { answered: 0, lost: 0, wrong: [] as string[] };
  async function askAbout(host: string, expected: number): Promise<void> {
    while (!isOver) {
      const answer = await ask(`${origin}/lookup/status?url=http://${host}.example/`);
      if (answer === null) counts.lost++;
      else if (answer.status !== expected) counts.wrong.push(`${host}: ${answer.status}`);
      else counts.answered++;
    }
  }
  const asking = Promise.all([askAbout("a", 403), askAbout("not-a", 200), askAbout("a", 403)]);
  return {
    counts,
    /** Waits until this many more requests are answered. */
    async more(count: number): Promise<void> {
      const until = counts.answered + count;
      await waitFor(`${count} answers`, () => counts.answered >= until);
    },
    async stop() {
      isOver = true;
      await asking;
      return counts;
    },
  };
}

// Windows has no signals that a process can handle.
describe.skipIf(process.platform === "win32")("several processes", () => {
  test("answer while processes are killed, stopped and replaced", async () => {
    const { server, readiness, ready, metric } = await startedProcesses({ processes: 4 });
    const asking = askAllTheTime(server.origin);
    await asking.more(50);
    const answered = () => metric('urlhash_looked_up_urls_total{verdict="listed"}');
    let before = await answered();
    expect(before).toBeGreaterThan(0);
    for (const number of [3, 1, 4]) {
      const pid = servingIn(server).get(number)!;
      process.kill(pid, "SIGKILL");
      await waitFor("the next process", () => servingIn(server).get(number) !== pid);
      const after = await answered();
      expect(after).toBeGreaterThanOrEqual(before);
      before = after;
      await asking.more(20);
    }
    await waitFor("all to serve", async () => (await metric("urlhash_processes")) === 4);
    expect(await metric("urlhash_processes_replaced_total")).toBe(3);

    // Only the connections that a stopped process already has wait for it.
    const stopped = servingIn(server).get(2)!;
    const { lost } = asking.counts;
    const isStopped = async () => (await readiness())?.text === "Process 2 does not answer.\n";
    process.kill(stopped, "SIGSTOP");
    await waitFor("the answer of another", isStopped);
    await asking.more(100);
    expect(await answered()).toBeGreaterThanOrEqual(before);
    process.kill(stopped, "SIGCONT");
    await waitFor("all to be ready", ready);
    expect(servingIn(server).get(2)).toBe(stopped);

    process.kill(stopped, "SIGSTOP");
    await waitFor("its replacement", () => servingIn(server).get(2) !== stopped);
    await logged(server, /^A process does not answer, and is killed\.$/);
    await waitFor("all to be ready", ready);
    const counts = await asking.stop();
    expect(counts.wrong).toEqual([]);
    expect(counts.lost - lost).toBeLessThanOrEqual(2 * 3);
    // Only the requests that a killed process was answering are lost.
    expect(lost).toBeLessThanOrEqual(3 * 3);

    server.child.kill("SIGTERM");
    expect((await server.ended).status).toBe(0);
    const last = linesOf(server).at(-1);
    expect(last).toMatchObject({ msg: "stopped" });
    expect(last).not.toHaveProperty("process");
  });

  test("answer while the store is away, and all find a new version", async () => {
    const { server, ready, metric } = await startedProcesses({});
    const asking = askAllTheTime(server.origin);
    renameSync(folder.storeFile(), folder.storeFile("..", "away"));
    await waitFor("a process to notice", async () => !(await ready()));
    await asking.more(50);
    renameSync(folder.storeFile("..", "away"), folder.storeFile());
    await waitFor("all to be ready", ready);
    await folder.publish("a", "b");
    for (let number = 1; number <= PROCESSES; number++) {
      const line = `urlhash_list_version{list="malware",process="${number}"}`;
      await waitFor(line, async () => (await metric(line)) === 2);
    }
    expect(await asking.stop()).toMatchObject({ lost: 0, wrong: [] });
  });

  test("all use other settings, or none does, and a new process has those in use", async () => {
    const { server, metric } = await startedProcesses({});
    const file = join(folder.path, "urlhash-server.yaml");
    const settings = (key: string, more = "") =>
      writeFileSync(
        file,
        `store: lists\nreaders: { us: { key-sha256: ${hashApiKey(key)}, lists: [malware] } }\n${more}`,
      );
    const statuses = async (key: string) => {
      const path = `/v5/hashList/mw-4b?key=${key}`;
      const all = Array.from({ length: 4 * PROCESSES }, () => ask(server.origin + path));
      return [...new Set((await Promise.all(all)).map((answer) => answer?.status))];
    };
    settings("first");
    server.child.kill("SIGHUP");
    await logged(server, /^reloaded$/, PROCESSES);
    expect(await statuses("first")).toEqual([200]);

    settings("second", "no-such-setting: 1\n");
    server.child.kill("SIGHUP");
    await logged(server, /yaml:\d+: unknown setting "no-such-setting"/, PROCESSES);
    for (let number = 1; number <= PROCESSES; number++) {
      const line = `urlhash_config_last_reload_successful{process="${number}"}`;
      expect(await metric(line)).toBe(0);
    }
    const pid = servingIn(server).get(2)!;
    process.kill(pid, "SIGKILL");
    await waitFor("the next process", () => servingIn(server).get(2) !== pid);
    expect(await statuses("first")).toEqual([200]);
    expect(await statuses("second")).toEqual([403]);

    settings("second");
    server.child.kill("SIGHUP");
    await logged(server, /^reloaded$/, 2 * PROCESSES);
    expect(await statuses("second")).toEqual([200]);
    expect(await statuses("first")).toEqual([403]);
  });

  test("that begin to serve while the settings are read again have the new ones, too", async () => {
    const other = await otherServer({ "se-4b": ["b.example/"] });
    try {
      const { server, metric } = await startedProcesses({});
      const first = servingIn(server).get(2)!;
      process.kill(first, "SIGKILL");
      const starting: number = (await waitFor("the next process", () =>
        childrenOf(server).find((pid) => pid !== first && pid !== servingIn(server).get(1)),
      ))!;
      process.kill(starting, "SIGSTOP");
      // The first process waits in the middle of its new settings, because nobody writes to the pipe.
      const pipe = join(folder.path, "key");
      execFileSync("mkfifo", [pipe]);
      const upstream = `{ server: "${other.origin}", lists: [se-4b], key-file: key }`;
      const file = join(folder.path, "urlhash-server.yaml");
      writeFileSync(file, `store: lists\nupstreams: { other: ${upstream} }\n`);
      server.child.kill("SIGHUP");
      const opened = await waitFor("a reader", () =>
        open(pipe, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => null),
      );
      process.kill(starting, "SIGCONT");
      await waitFor("both to serve", async () => (await metric("urlhash_processes")) === 2);
      await opened!.writeFile("key\n");
      await opened!.close();
      await logged(server, /^reloaded$/);
      await writeFile(pipe, "key\n");
      await logged(server, /^reloaded$/, 2);
    } finally {
      await other.stop();
    }
  });

  test("finish 40 requests that are under way when the server is told to end", async () => {
    const { server } = await startedProcesses({});
    const body = JSON.stringify({ urls: ["http://a.example/", "http://b.example/"] });
    const length = `Content-Length: ${body.length}\r\nExpect: 100-continue`;
    const clients = lookingUp(40, server, `Content-Type: application/json\r\n${length}`);
    // So a process has accepted each connection, and waits for the body.
    const isUnderWay = () => clients.every(({ received }) => received.startsWith("HTTP/1.1 100"));
    await waitFor("the requests to be under way", isUnderWay);
    server.child.kill("SIGTERM");
    await waitFor("no more connections", async () => (await ask(`${server.origin}/`)) === null);
    // A service manager may send the signal more than once.
    server.child.kill("SIGTERM");
    for (const { socket } of clients) socket.write(body);
    expect((await server.ended).status).toBe(0);
    const verdicts = clients.map(({ received }) => [
      ...[...received.matchAll(/"listed":(true|false)/g)].map(([, listed]) => listed),
    ]);
    expect(verdicts).toEqual(Array.from({ length: 40 }, () => ["true", "false"]));
  });

  test("limit a client each by itself, so it gets at most twice as much", async () => {
    const { server } = await startedProcesses({});
    const clients = lookingUp(
      100,
      server,
      "Content-Type: text/plain\r\nTransfer-Encoding: chunked",
    );
    await waitFor("the answers", () => clients.every(({ received }) => received !== ""));
    const statuses = clients.map(({ received }) => received.slice(0, "HTTP/1.1 200".length));
    const open = statuses.filter((status) => status === "HTTP/1.1 200").length;
    expect(open).toBeGreaterThanOrEqual(SHARES.streams.perClient);
    expect(open).toBeLessThanOrEqual(SHARES.streams.perClient * PROCESSES);
    expect(statuses.filter((status) => status === "HTTP/1.1 503")).toHaveLength(100 - open);
    for (const { socket } of clients) socket.destroy();
  });

  test("ask another server as often as one process, and search it while the first is replaced", async () => {
    const hosts = Array.from({ length: 200 }, (_, i) => `host${i}.example/`);
    const other = await otherServer({ "se-4b": hosts });
    try {
      const upstreams = JSON.stringify({ other: { server: other.origin, lists: ["se-4b"] } });
      const { server, ready, metric } = await startedProcesses(
        { processes: 4 },
        `upstreams=${upstreams}`,
      );
      await waitFor("the list of the other server", ready);
      const about = (i: number) => `${server.origin}/lookup/status?url=http://${hosts[i]}`;
      const statuses = async (i: number) => {
        const answers = Array.from({ length: 16 }, () => ask(about(i), 60_000));
        return [...new Set((await Promise.all(answers)).map((answer) => answer?.status))];
      };
      const searches = () => other.asked.filter((url) => url.includes(":search")).length;
      const updates = () => other.asked.length - searches();
      for (let i = 0; i < 5; i++) expect(await statuses(i)).toEqual([403]);
      expect([updates(), searches()]).toEqual([1, 5]);
      const kind = (name: string) =>
        `urlhash_upstream_requests_total{upstream="other",kind="${name}"}`;
      expect(await metric(kind("search"))).toBe(5);

      const first = servingIn(server).get(1)!;
      process.kill(first, "SIGKILL");
      await waitFor("its end", () => !childrenOf(server).includes(first));
      for (let i = 5; i < 10; i++) expect(await statuses(i)).toEqual([403]);
      await waitFor("the next first process", () => servingIn(server).get(1) !== first);
      const before = searches();
      for (let i = 10; i < 15; i++) expect(await statuses(i)).toEqual([403]);
      expect(searches()).toBe(before + 5);

      other.set("se-4b", [...hosts, "new.example/"]);
      server.child.kill("SIGHUP");
      await waitFor("all to have the new version", async () => {
        const counts = [1, 2, 3, 4].map((number) =>
          metric(`urlhash_list_prefixes{list="social-engineering",process="${number}"}`),
        );
        return (await Promise.all(counts)).every((count) => count === 201);
      });
      expect(updates()).toBe(2);
      server.child.kill("SIGTERM");
      expect((await server.ended).status).toBe(0);
    } finally {
      await other.stop();
    }
  });

  test("leave signals to the main process, as they may reach the whole group", async () => {
    const { server, metric } = await startedProcesses({});
    const asking = askAllTheTime(server.origin);
    await asking.more(20);
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      for (const pid of servingIn(server).values()) process.kill(pid, signal);
    }
    await asking.more(100);
    expect(await asking.stop()).toMatchObject({ lost: 0, wrong: [] });
    expect(await metric("urlhash_processes")).toBe(PROCESSES);
    expect(await metric("urlhash_processes_replaced_total")).toBe(0);
    for (const pid of servingIn(server).values()) process.kill(pid, "SIGTERM");
    server.child.kill("SIGTERM");
    expect((await server.ended).status).toBe(0);
    expect(linesOf(server).filter(({ msg }) => msg === "stopped")).toHaveLength(PROCESSES + 1);
  });

  test("take the socket of the service manager, and end when all of them have ended", async () => {
    const socket = createServer();
    await new Promise<void>((resolve) => socket.listen(0, "127.0.0.1", resolve));
    const { fd } = (socket as unknown as { _handle: { fd: number } })._handle;
    const { port } = socket.address() as AddressInfo;
    const script = 'export LISTEN_PID=$$ LISTEN_FDS=1; exec "$@"';
    const serve = ["serve", "--store", "lists", "--set", "processes=2"];
    const server = watched(
      spawn("sh", ["-c", script, "server", process.execPath, COMMAND, ...serve], {
        cwd: folder.path,
        stdio: ["ignore", "pipe", "pipe", fd],
      }),
    );
    socket.close();
    await waitFor("both processes", () => servingIn(server).size === 2);
    const origin = `http://127.0.0.1:${port}`;
    expect((await get(origin, "/lookup/status?url=http://a.example/")).status).toBe(403);
    for (const pid of servingIn(server).values()) process.kill(pid, "SIGKILL");
    const { status, stderr } = await server.ended;
    expect(status).toBe(2);
    expect(stderr).toContain("All processes have ended");
  });

  test("say once why they cannot start", async () => {
    const { origin } = await folder.started();
    const { port } = new URL(origin);
    const serve = ["serve", "--port", port, "--set", "processes=2", "--store"];
    const missing = await start(folder.path, ...serve, "nowhere").ended;
    expect(missing.status).toBe(2);
    expect(missing.stderr.trim().split("\n")).toHaveLength(1);
    expect(await start(folder.path, ...serve, "lists").ended).toMatchObject({
      status: 2,
      stderr: `urlhash-server: Port ${port} of 127.0.0.1 is in use by another program\n`,
    });
    const killed = start(folder.path, ...serve, "lists");
    process.kill((await waitFor("the first process", () => childrenOf(killed)[0]))!, "SIGKILL");
    expect(await killed.ended).toMatchObject({
      status: 2,
      stderr: "urlhash-server: the first process was ended by SIGKILL\n",
    });
  });
});
