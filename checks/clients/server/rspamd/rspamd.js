import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { background } from "../support/background.js";
import { example } from "../support/example.js";
import { freePort } from "../support/free-port.js";
import { htmlWithLinks, mailOf } from "../support/mails.js";
import { newFolder } from "../support/new-folder.js";

/** The domains under which people register hosts. */
const DOMAINS = "/usr/share/rspamd/effective_tld_names.dat";
/** The maximum number of messages that are scanned at the same time. */
const CONCURRENCY = 20;

/** A configuration with one worker and the rule, without the modules that need other services. */
const config = (folder, port, origin, forced) => `
options {
  filters = "";
  pidfile = "${folder}/rspamd.pid";
  tempdir = "${folder}";
  hs_cache_dir = "${folder}";
  history_file = "${folder}/history";
  dynamic_conf = "${folder}/dynamic";
  control_socket = "${folder}/control.sock mode=0600";
  url_tld = "${folder}/domains";
  explicit_modules = [];
  dns { nameserver = ["127.0.0.1"]; timeout = 0.1s; retransmits = 1; }
}
logging { type = "console"; level = "error"; color = false; }
worker "normal" { bind_socket = "127.0.0.1:${port}"; count = 2; mime = true; task_timeout = 60s; }
urlhash { server = "${origin}"; timeout = 30; }
lua = "${folder}/rspamd.local.lua";
modules { path = "/usr/share/rspamd/plugins/force_actions.lua"; }
actions { reject = 15; }
force_actions { ${forced} }
`;

/**
 * Debian's rspamd with the rule of docs/examples/rspamd, which asks the server at `origin`. `forced` is the text of
 * force_actions.conf.
 */
export async function rspamd({ path, origin, forced = "" }) {
  const folder = newFolder("rspamd");
  // rspamd takes ten seconds or more to compile all ten thousand domains, and the top-level domains are enough.
  const domains = readFileSync(DOMAINS, "utf8").split("\n");
  const topLevel = domains.filter((line) => !line.startsWith("//") && !line.includes("."));
  writeFileSync(join(folder, "domains"), topLevel.join("\n"));
  const port = await freePort();
  writeFileSync(join(folder, "rspamd.local.lua"), example("rspamd/rspamd.local.lua"));
  const file = join(folder, "rspamd.conf");
  writeFileSync(file, config(folder, port, origin, forced));
  const asRoot = process.getuid() === 0 ? ["--insecure"] : [];
  const { stop, until } = background(path, ["-f", "-c", file, ...asRoot], {
    stdio: ["ignore", "inherit", "inherit"],
  });

  async function scanned(urls) {
    const response = await fetch(`http://127.0.0.1:${port}/checkv2`, {
      method: "POST",
      body: mailOf("html", htmlWithLinks(urls)),
    });
    if (!response.ok) throw new Error(`rspamd answers ${response.status}`);
    return response.json();
  }

  const scan = async (urls) => (await scanned(urls)).symbols;

  await until("rspamd", async () => {
    const response = await fetch(`http://127.0.0.1:${port}/ping`).catch(() => null);
    return response?.ok;
  });

  return {
    /** The symbols that rspamd gives a message with links to the given URLs, by name. */
    scan,
    /** The action that rspamd takes for a message with links to the URLs, and the text that the sender gets. */
    async judge(urls) {
      const { action, messages } = await scanned(urls);
      return { action, message: messages.smtp_message ?? null };
    },
    /** For each URL, whether a message that contains only this link is flagged. A lookup that failed is an error. */
    async blocks(urls) {
      const blocked = new Array(urls.length);
      let next = 0;
      const scanOthers = async () => {
        while (next < urls.length) {
          const i = next++;
          const symbols = await scan([urls[i]]);
          if (symbols.URLHASH_FAIL) throw new Error(symbols.URLHASH_FAIL.options.join());
          blocked[i] = symbols.URLHASH_LISTED !== undefined;
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, scanOthers));
      return blocked;
    },
    stop,
  };
}
