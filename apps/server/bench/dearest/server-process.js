// Runs `urlhash-server serve` in its own process, and reads its processor time and memory from /proc.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { COMMAND } from "./store.js";

/** The length of a tick of processor time in /proc, in milliseconds: on Linux, a second has a hundred ticks. */
const TICK = 10;
const LISTENING = /at http:\/\/127\.0\.0\.1:(\d+)/;

/** Starts the server on free ports, and waits until it listens. */
export async function startServer({ store, keysFile, ohttpFile }) {
  const files = ["--store", store, "--keys", keysFile, "--ohttp", ohttpFile];
  const args = ["serve", ...files, "--port", "0"];
  const child = spawn(process.execPath, [COMMAND, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  child.stderr.setEncoding("utf8").on("data", (piece) => {
    text += piece;
  });
  const ended = once(child, "exit");
  let found = null;
  while (found === null) {
    if (child.exitCode !== null) throw new Error(text);
    await wait(10);
    found = LISTENING.exec(text);
  }
  const file = (name) => `/proc/${child.pid}/${name}`;
  const read = (name) => {
    try {
      return readFileSync(file(name), "latin1");
    } catch {
      return null;
    }
  };
  const megabytes = (name) => {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(read("status") ?? "")?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1024;
  };
  return {
    pid: child.pid,
    port: Number(found[1]),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** The output on stderr, with the addresses and, for example, the reason why the server ended. */
    said: () => text,
    /** The processor time of all threads of the server, in milliseconds, or `null` after it has ended. */
    processor() {
      const stat = read("stat");
      if (stat === null) return null;
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return (Number(fields[11]) + Number(fields[12])) * TICK;
    },
    memory: () => megabytes("VmRSS"),
    /** The largest resident set since {@link forgetPeak}, in MB. */
    peakMemory: () => megabytes("VmHWM"),
    forgetPeak: () => writeFileSync(file("clear_refs"), "5"),
    threads: () => readdirSync(file("task")).length,
    async stop() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
