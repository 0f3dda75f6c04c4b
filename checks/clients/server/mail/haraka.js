import { copyFileSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages, startProgram } from "../support/example-program.js";
import { freePort } from "../support/free-port.js";
import { newFolder } from "../support/new-folder.js";

const EXAMPLE = fileURLToPath(new URL("../../../../docs/examples/mail", import.meta.url));
const HARAKA = dirname(createRequire(import.meta.url).resolve("Haraka/package.json"));

/**
 * Haraka with the plugin of docs/examples/mail. Haraka accepts mail for example.test, and passes it on to another
 * server.
 */
export async function haraka({ origin, next, tag = "" }) {
  const folder = newFolder("haraka");
  const port = await freePort();
  const config = {
    "smtp.ini": `listen=127.0.0.1:${port}\nnodes=0\n`,
    plugins: "rcpt_to.in_host_list\nurlhash\nqueue/smtp_forward\n",
    host_list: "example.test\n",
    "smtp_forward.ini": `host=127.0.0.1\nport=${next}\n`,
    "log.ini": "level=notice\n",
    me: "mail.test\n",
  };
  // `haraka --install` copies these files, too.
  cpSync(join(HARAKA, "config"), join(folder, "config"), { recursive: true });
  mkdirSync(join(folder, "plugins"));
  for (const [name, text] of Object.entries(config))
    writeFileSync(join(folder, "config", name), text);
  copyFileSync(join(EXAMPLE, "haraka.js"), join(folder, "plugins/urlhash.js"));
  copyFileSync(join(EXAMPLE, "check-mail.mjs"), join(folder, "plugins/check-mail.mjs"));
  installPackages(folder, ["@x/client", "@x/links"]);
  const env = { LISTS_SERVER: origin, LISTS: "mw-4b", TAG: tag };
  const program = startProgram([join(HARAKA, "bin/haraka"), "-c", folder], { cwd: folder, env });
  return { port, mustRun: program.mustRun, stop: program.stop };
}
