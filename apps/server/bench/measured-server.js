// The server as `urlhash-server serve` runs it, with its log in a file.
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import process from "node:process";
import { directoryStorage } from "@x/list-store/node";
import { NO_API_KEYS } from "../dist/serve/api-keys.js";
import { createLog, logFile } from "../dist/serve/log.js";
import { openOhttpKeys, parseOhttpKeys } from "../dist/serve/ohttp/gateway.js";
import { startServer } from "../dist/serve/server.js";

const [store, ohttp] = process.argv.slice(2);
const server = await startServer({
  storage: directoryStorage(store),
  publicKeys: [readFileSync(`${store}.pub`, "utf8").trim()],
  keys: NO_API_KEYS,
  seen: new Map(),
  seenFile: `${store}.seen`,
  listen: { kind: "tcp", host: "127.0.0.1", port: 0 },
  tls: null,
  hashMemory: Number(process.env.HASH_MEMORY ?? 40e6),
  hashFolder: tmpdir(),
  window: 200,
  wait: 1_800_000,
  cache: 300_000,
  poll: Number(process.env.POLL ?? 2000),
  behindProxy: true,
  ohttp:
    ohttp === undefined
      ? undefined
      : await openOhttpKeys(parseOhttpKeys(readFileSync(ohttp, "utf8"), ohttp)),
  log: createLog(
    logFile(`${store}.log`, (error) => {
      throw error;
    }),
  ),
});
process.send(Number(new URL(server.origin).port));
process.on("message", () => {
  globalThis.gc?.();
  process.send({ rss: process.memoryUsage().rss, ...process.cpuUsage() });
});
process.on("disconnect", () => process.exit());
