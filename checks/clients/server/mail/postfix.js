import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { example } from "../support/example.js";
import { exampleFolder, startProgram } from "../support/example-program.js";
import { freePort } from "../support/free-port.js";
import { newFolder } from "../support/new-folder.js";
import { waitFor } from "../support/wait-for.js";

/** The services that Postfix needs besides those of the example, as Debian sets them up, without chroot. */
const SERVICES = `
cleanup   unix  n       -       n       -       0       cleanup
qmgr      unix  n       -       n       300     1       qmgr
rewrite   unix  -       -       n       -       -       trivial-rewrite
bounce    unix  -       -       n       -       0       bounce
defer     unix  -       -       n       -       0       bounce
trace     unix  -       -       n       -       0       bounce
proxymap  unix  -       -       n       -       -       proxymap
anvil     unix  -       -       n       -       1       anvil
smtp      unix  -       -       n       -       -       smtp
error     unix  -       -       n       -       -       error
retry     unix  -       -       n       -       -       error
postlog   unix-dgram n  -       n       -       1       postlogd
`;

const settings = (folder, next) => `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file_prefixes = ${folder}
maillog_file = ${folder}/log
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mail.test
mydestination =
relay_domains = example.test
default_transport = smtp:[127.0.0.1]:${next}
relay_transport = smtp:[127.0.0.1]:${next}
alias_maps =
disable_dns_lookups = yes
smtp_host_lookup = native
`;

/**
 * Debian's Postfix with the proxy of docs/examples/mail, in folders of its own. Postfix accepts mail for example.test,
 * and passes it on to another server.
 */
export async function postfix({ path, origin, next }) {
  const folder = newFolder("postfix");
  // The programs of Postfix run as other users, which must be able to enter the folder.
  chmodSync(folder, 0o755);
  for (const name of ["config", "queue", "data"]) mkdirSync(join(folder, name));
  chownSync(join(folder, "data"), Number(execFileSync("id", ["-u", "postfix"])), 0);
  const [port, proxyPort, backPort] = [await freePort(), await freePort(), await freePort()];
  const services = example("mail/postfix-master.cf", {
    "smtp      inet": `127.0.0.1:${port} inet`,
    "127.0.0.1:10025": `127.0.0.1:${proxyPort}`,
    "127.0.0.1:10026": `127.0.0.1:${backPort}`,
  });
  writeFileSync(join(folder, "config/main.cf"), settings(folder, next));
  writeFileSync(join(folder, "config/master.cf"), services + SERVICES);

  const files = exampleFolder("mail", ["@x/client", "@x/links", "nodemailer", "smtp-server"]);
  const env = { PORT: proxyPort, BACK_PORT: backPort, LISTS_SERVER: origin, LISTS: "mw-4b" };
  const proxy = startProgram(["postfix.mjs"], { cwd: files, env });
  const command = (...words) => [["-c", join(folder, "config"), ...words], { stdio: "ignore" }];
  const child = spawn(path, ...command("start-fg"));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  return {
    port,
    /** Throws when Postfix or the proxy has ended, with the output of both. */
    mustRun() {
      proxy.mustRun();
      if (child.exitCode !== null) throw new Error(readFileSync(join(folder, "log"), "utf8"));
    },
    stopProxy: proxy.stop,
    async stop() {
      // The process that was started is a script that waits for Postfix.
      await waitFor("Postfix to stop", () => {
        if (child.exitCode !== null) return true;
        return spawnSync(path, ...command("stop")).status === 0;
      });
      await ended;
      await proxy.stop();
    },
  };
}
