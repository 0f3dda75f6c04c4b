// The server as `urlhash-server serve` runs it, with its log in a file.
import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import process from "node:process";
import { directoryStorage } from "@x/list-store/node";
import { NO_API_KEYS } from "../dist/serve/api-keys.js";
import { createLog } from "../dist/serve/log.js";
import { logFile } from "../dist/serve/log-file.js";
import { startServer } from "../dist/serve/server.js";

const [store] = process.argv.slice(2);
const server = await startServer({
  storage: directoryStorage(store),
  publicKeys: [readFileSync(`${store}.pub`, "utf8").trim()],
  keys: NO_API_KEYS,
  seen: new Map(),
  seenFile: `${store}.seen`,
  host: "127.0.0.1",
  port: 0,
  tls: null,
  window: 200,
  wait: 1_800_000,
  cache: 300_000,
  poll: 2000,
  behindProxy: true,
  log: createLog(
    logFile(`${store}.log`, (error) => {
      throw error;
    }),
  ),
});
process.send(Number(new URL(server.origin).port));
/** The most memory that the process has had, in bytes. `resourceUsage` would count that of the parent, too. */
function mostMemory() {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "latin1"));
    return Number(kilobytes) * 1024;
  } catch {
    return process.memoryUsage().rss;
  }
}

/** The processor time of the main thread so far, in milliseconds; 0 where the system does not report it. */
function mainThreadTime() {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "latin1").split(
      " ",
    );
    return Number(nanoseconds) / 1e6;
  } catch {
    return 0;
  }
}

/** The longest processor time between two turns of a timer: how long others wait, even if the machine is busy. */
let longestPause = 0;
let before = mainThreadTime();
/** How late timers were; other work on the machine adds to this. */
const delays = monitorEventLoopDelay({ resolution: 1 });
if (process.argv[3] === "pauses") {
  delays.enable();
  setInterval(() => {
    const time = mainThreadTime();
    longestPause = Math.max(longestPause, time - before);
    before = time;
  }, 1);
}

process.on("message", () => {
  globalThis.gc?.();
  process.send({
    ...process.memoryUsage(),
    ...process.cpuUsage(),
    mostMemory: mostMemory(),
    longestPause,
    longestDelay: delays.max / 1e6,
  });
  delays.reset();
  longestPause = 0;
});
process.on("disconnect", () => process.exit());
