import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { example } from "../support/example.js";
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

const escapeHtml = (text) =>
  text.replace(/[&"<>]/g, (character) => `&#${character.codePointAt(0)};`);

const BODIES = {
  html: (url) => `<!doctype html><html><body><a href="${escapeHtml(url)}">link</a></body></html>`,
  plain: (url) => `Please see ${url} today.\n`,
};

export function mailWith(url, kind) {
  return [
    "From: <sender@mail.test>",
    "To: <reader@mail.test>",
    "Subject: a link",
    "Message-ID: <1@mail.test>",
    "Date: Sun, 22 Nov 2026 12:00:00 +0000",
    "MIME-Version: 1.0",
    `Content-Type: text/${kind}; charset=utf-8`,
    "Content-Transfer-Encoding: base64",
    "",
    ...Buffer.from(BODIES[kind](url))
      .toString("base64")
      .match(/.{1,76}/g),
    "",
  ].join("\r\n");
}

/**
 * Debian's freshclam with the configuration of docs/examples/freshclam, and clamscan with the files that it fetched.
 * `key` opens a private list.
 */
export function clamAv({ freshclam, clamscan, origin, list = "malware", key = null }) {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "clamav-"));
  const databases = join(folder, "databases");
  const config = join(folder, "freshclam.conf");
  const database = join(databases, `${list}.gdb`);
  mkdirSync(databases);
  const url = new URL(`${origin}/export/${list}.gdb`);
  if (key !== null) {
    url.username = "freshclam";
    url.password = key;
  }
  writeFileSync(
    config,
    example("freshclam/freshclam.conf", {
      "/var/lib/clamav": databases,
      "DatabaseOwner clamav": `DatabaseOwner ${userInfo().username}`,
      "/var/log/clamav": folder,
      "http://127.0.0.1:8080/export/malware.gdb": url.href,
      "http://127.0.0.1:8080": origin,
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
    stop() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
