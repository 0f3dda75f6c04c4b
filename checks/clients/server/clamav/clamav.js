import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { nginxSite } from "../nginx/nginx-site.js";
import { background } from "../support/background.js";
import { urlhashFolder } from "../support/commands.js";
import { example } from "../support/example.js";
import { freePort } from "../support/free-port.js";
import { htmlWithLinks, mailOf } from "../support/mails.js";
import { newFolder } from "../support/new-folder.js";
import { waitFor } from "../support/wait-for.js";

/** A folder in memory, because clamscan writes several files for each message, which is slow on a busy disk. */
const MEMORY = "/dev/shm";

const second = (milliseconds) => Math.floor(milliseconds / 1000);

/** Runs a program to its end, whatever its exit status. */
function run(path, ...args) {
  return new Promise((resolve) => {
    execFile(path, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : error.code, output: stdout + stderr }),
    );
  });
}

/** An email with a link, in HTML or in plain text. */
export const mailWith = (url, kind) =>
  mailOf(kind, kind === "html" ? htmlWithLinks([url]) : `Please see ${url} today.\n`);

/**
 * A folder that nginx serves, and the script of docs/examples/freshclam, which writes the list of a store into that
 * folder. The store is served from its folder, too.
 */
export async function databaseSite({ nginx, store }) {
  const urlhash = urlhashFolder("gdb");
  const root = urlhash.path("www");
  mkdirSync(root);
  symlinkSync(store, join(root, "store"));
  const port = await freePort();
  const start = () =>
    nginxSite({
      ...{ path: nginx, folder: urlhash.path("nginx"), port },
      site: example("static-host/urlhash-store.conf", {
        "listen 80": `listen 127.0.0.1:${port}`,
        "/srv/lists": root,
        "autoindex off": "if_modified_since before",
      }),
    });
  let site = await start();
  const script = example("freshclam/urlhash-gdb", {
    "https://lists.example": site.origin,
    "/etc/urlhash/lists.pub": `${store}.pub`,
    "/var/lib/urlhash/": urlhash.path("lists/"),
    "/var/www/html": root,
  });
  const env = { ...urlhash.env, XDG_CACHE_HOME: urlhash.path("cache") };
  return {
    origin: site.origin,
    /** The file that the script writes. */
    file: join(root, "malware.gdb"),
    /** Runs the script, and returns its exit status. */
    write() {
      return background("/bin/sh", ["-c", script], {
        env,
        stdio: ["ignore", "inherit", "inherit"],
      }).ended;
    },
    async start() {
      site = await start();
    },
    stop: () => site.stop(),
  };
}

/**
 * Debian's freshclam with the configuration of docs/examples/freshclam, and clamscan with the files that it fetched
 * from the folder of a web server.
 */
export function clamAv({ freshclam, clamscan, origin, list = "malware" }) {
  const folder = newFolder("clamav", existsSync(MEMORY) ? MEMORY : tmpdir());
  const databases = join(folder, "databases");
  const config = join(folder, "freshclam.conf");
  const database = join(databases, `${list}.gdb`);
  mkdirSync(databases);
  writeFileSync(
    config,
    example("freshclam/freshclam.conf", {
      "/var/lib/clamav": databases,
      "DatabaseOwner clamav": `DatabaseOwner ${userInfo().username}`,
      "/var/log/clamav": folder,
      "http://127.0.0.1": origin,
    }),
    { mode: 0o600 },
  );

  return {
    /** The path of the database file that freshclam downloads. */
    database,
    /** Runs freshclam, but not in the second of its last download, because it tells versions apart by seconds. */
    async update() {
      await waitFor("the next second", () => {
        const { mtimeMs } = statSync(database, { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
        return second(Date.now()) !== second(mtimeMs);
      });
      return run(freshclam, `--config-file=${config}`, "--stdout");
    },
    /** For each URL, whether clamscan reports a message with a link to it. One run scans all messages. */
    async blocks(urls, kind = "html") {
      const mails = mkdtempSync(join(folder, "mails-"));
      for (const [i, each] of urls.entries()) {
        writeFileSync(join(mails, `${i}.eml`), mailWith(each, kind));
      }
      const { status, output } = await run(
        clamscan,
        "--no-summary",
        "--infected",
        `--database=${databases}`,
        `--tempdir=${folder}`,
        mails,
      );
      if (status !== 0 && status !== 1) throw new Error(`clamscan failed: ${output}`);
      const names = new Map(
        [...output.matchAll(/\/(\d+)\.eml: (\S+) FOUND$/gm)].map(([, i, name]) => [
          Number(i),
          name,
        ]),
      );
      for (const name of names.values()) {
        if (name !== "Heuristics.Phishing.URL.Blocked") throw new Error(`clamscan found ${name}`);
      }
      rmSync(mails, { recursive: true });
      return urls.map((_, i) => names.has(i));
    },
  };
}
