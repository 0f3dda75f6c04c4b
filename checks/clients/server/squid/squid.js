import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { request as requestTls } from "node:https";
import { join } from "node:path";
import process from "node:process";
import { background } from "../support/background.js";
import { example, withValues } from "../support/example.js";
import { freePort } from "../support/free-port.js";
import { newFolder } from "../support/new-folder.js";
import { installUrlhash } from "./installed-command.js";
import { upstreamProxy } from "./upstream-proxy.js";

/** The code blocks of the given language in the example's README. */
const readmeBlocks = (language) =>
  [
    ...example("squid/README.md").matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms")),
  ].map(([, block]) => block);

const COMMAND = "/usr/local/bin/urlhash";
const CERTIFICATES = "/var/spool/squid/urlhash-certificates";
const CA = "/etc/squid/urlhash-ca";
/** The maximum number of open connections to Squid. */
const CONNECTIONS = 32;
/** The hosts whose pages are served over TLS. */
const TLS_HOSTS = ["evil.test", "good.test", "mixed.test"];

/** The settings around the example in Debian's configuration, without a cache and with an upstream proxy. */
const config = (folder, port, upstream) => `
http_port 127.0.0.1:${port}
include ${folder}/conf.d/*.conf
http_access allow localhost
http_access deny all
cache deny all
cache_peer 127.0.0.1 parent ${upstream.port} 0 no-query no-digest default
never_direct allow all
tls_outgoing_options cafile=${upstream.certificate}
access_log none
cache_log ${folder}/cache.log
pid_filename none
coredump_dir ${folder}
visible_hostname proxy.test
pinger_enable off
shutdown_lifetime 0 seconds
`;

/** Makes the certificate of the proxy and the folder for others, with the commands of the README. */
function makeCertificates(folder) {
  const commands = readmeBlocks("sh").find((block) => block.includes("openssl req"));
  const script = withValues(commands, { [CA]: `${folder}/ca`, [CERTIFICATES]: `${folder}/db` });
  const isRoot = process.getuid() === 0;
  const lines = script.split("\n").filter((line) => isRoot || !line.startsWith("chown"));
  execFileSync("sh", ["-e", "-c", lines.join("\n")], { stdio: "ignore" });
}

/**
 * A URL as HTTP clients send it to a proxy: with a scheme, without a fragment, and only in ASCII. Everything else in
 * the URL stays unchanged.
 */
function asSent(url) {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;
  return withScheme.replace(/#.*/s, "").replace(/[^!-~]+/g, (text) => {
    const bytes = [...Buffer.from(text)];
    return bytes.map((byte) => `%${byte.toString(16).padStart(2, "0").toUpperCase()}`).join("");
  });
}

const LISTS_FROM = "--lists-from /var/lib/urlhash";

/** The options that the README gives for the lists of a server, with the test's server and folder. */
function keptLists(origin, folder) {
  const [options] = readmeBlocks("text").filter((block) => block.startsWith("--server"));
  return withValues(options.trim(), {
    "https://safebrowsing.googleapis.com": origin,
    "--key-file /etc/squid/urlhash.key": "--lists mw-4b",
    "/var/spool/squid/urlhash-lists": folder,
  });
}

/** The status and the text of an answer. */
function answerTo(made) {
  return new Promise((resolve, reject) => {
    made.on("error", reject);
    made.on("response", (response) => {
      response.toArray().then((pieces) => {
        resolve({ status: response.statusCode, text: Buffer.concat(pieces).toString() });
      }, reject);
    });
    made.end();
  });
}

const statusOf = async (made) => (await answerTo(made)).status;

const MEANING = { 200: "page", 403: "denied" };
const meaningOf = (status) => MEANING[status] ?? `refused ${status}`;

/**
 * Debian's Squid with the configuration of docs/examples/squid. The helper checks against the lists in `listFolder`, or
 * asks the server at `origin`. With `keepsLists`, it keeps the lists of this server instead. People who are blocked get
 * `page`. `tagUnchecked` lets through requests that could not be checked, as the README says.
 */
export async function squid({
  path,
  listFolder,
  origin,
  keepsLists = false,
  tagUnchecked = false,
  page,
}) {
  const folder = newFolder("squid");
  // Squid changes to a user of its own, and so does the helper.
  chmodSync(folder, 0o777);
  const command = installUrlhash(join(folder, "command"));
  const upstream = await upstreamProxy(folder, TLS_HOSTS);
  const [port, bumpPort] = [await freePort(), await freePort()];
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

  let rules =
    origin === undefined
      ? example("squid/urlhash.conf", { "/var/lib/urlhash": listFolder })
      : keepsLists
        ? example("squid/urlhash.conf", { [LISTS_FROM]: keptLists(origin, `${folder}/lists`) })
        : example("squid/urlhash-server.conf", { "http://127.0.0.1:8080": origin });
  if (tagUnchecked) {
    const [lines] = readmeBlocks("squid").filter((block) => block.includes("acl unchecked"));
    rules = withValues(rules, {
      "helper squid": "helper squid --tag-unchecked",
      "http_access deny listed\n": lines,
    });
  }
  mkdirSync(join(folder, "conf.d"));
  const write = (name, text) => writeFileSync(join(folder, name), text);
  write("conf.d/urlhash.conf", withValues(rules, { [COMMAND]: `${process.execPath} ${command}` }));
  makeCertificates(folder);
  const bump = { "http_port 3129": `http_port 127.0.0.1:${bumpPort}` };
  Object.assign(bump, { [`${CA}.pem`]: `${folder}/ca.pem`, [CERTIFICATES]: `${folder}/db` });
  write("conf.d/urlhash-ssl-bump.conf", example("squid/urlhash-ssl-bump.conf", bump));
  write("squid.conf", config(folder, port, upstream));
  if (page !== undefined) {
    mkdirSync(join(folder, "errors"));
    write("errors/ERR_URLHASH", page);
    write("conf.d/urlhash-page.conf", example("squid/urlhash-page.conf"));
    write("conf.d/errors.conf", `error_directory ${folder}/errors\n`);
  }
  const log = () => readFileSync(join(folder, "cache.log"), "utf8");

  const {
    child,
    stop: end,
    until,
  } = background(path, ["-N", "-f", join(folder, "squid.conf")], { stdio: "ignore" });

  async function stop() {
    await end();
    agent.destroy();
    upstream.close();
  }

  const requestOf = (url) =>
    request({ host: "127.0.0.1", port, agent, path: asSent(url), headers: { Host: "-" } });
  /** Squid may close an idle connection just when it is used again. */
  async function ask(url) {
    const made = requestOf(url);
    try {
      return await statusOf(made);
    } catch (error) {
      if (made.reusedSocket && child.exitCode === null) return ask(url);
      throw new Error(`Squid did not answer. The end of its log: ${log().slice(-2000)}`, {
        cause: error,
      });
    }
  }

  /** A tunnel through a port of Squid; the status if there is none. */
  function openTunnel(host, from) {
    return new Promise((resolve, reject) => {
      const made = request({
        host: "127.0.0.1",
        port: from,
        method: "CONNECT",
        path: `${host}:443`,
      });
      made.on("error", reject);
      made.on("connect", ({ statusCode }, socket) => {
        if (statusCode === 200) return resolve(socket);
        socket.destroy();
        resolve(statusCode);
      });
      made.end();
    });
  }

  async function openHttps(url, from, certificate) {
    const { hostname, pathname } = new URL(url);
    const socket = await openTunnel(hostname, from);
    if (typeof socket === "number") return meaningOf(socket);
    const ca = readFileSync(certificate);
    const options = { socket, agent: false, ca, servername: hostname, host: hostname };
    return meaningOf(await statusOf(requestTls({ ...options, path: pathname })));
  }

  await until(
    "Squid",
    async () => (await ask("http://squid.test/").catch(() => null)) !== null,
  ).catch((error) => {
    throw new Error(log(), { cause: error });
  });

  let refusals = [];
  return {
    /** The result of a request without encryption: "page", "denied", or "refused" and a status. */
    open: async (url) => meaningOf(await ask(url)),
    /** The result for an https URL whose tunnel Squid decrypts (ssl-bump). */
    openBumped: (url) => openHttps(url, bumpPort, join(folder, "ca.crt")),
    /** The result for an https URL whose tunnel Squid does not decrypt. */
    openTunnelled: (url) => openHttps(url, port, upstream.certificate),
    /** The text of the page that Squid sends, such as its page for people who are blocked. */
    read: async (url) => (await answerTo(requestOf(url))).text,
    /**
     * Whether Squid denies each URL. Requests for https URLs are not encrypted, which makes no difference to
     * the helper. URLs that Squid itself refuses are not blocked; `refusals` has them until the next call.
     */
    async blocks(urls) {
      const found = await Promise.all(urls.map(ask));
      refusals = urls.filter((_, i) => MEANING[found[i]] === undefined);
      return found.map((status) => MEANING[status] === "denied");
    },
    refusals: () => refusals,
    killHelper() {
      const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
      const isHelper = (pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("\0helper\0");
      const [helper] = children.trim().split(" ").filter(isHelper);
      process.kill(Number(helper), "SIGKILL");
    },
    /** The log of Squid and the helper. */
    log,
    stop,
  };
}
