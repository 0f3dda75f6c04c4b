import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:https";
import { join } from "node:path";
import process from "node:process";
import puppeteer from "puppeteer-core";
import { example } from "../support/example.js";
import { listen } from "../support/listen.js";
import { newFolder } from "../support/new-folder.js";
import { waitFor } from "../support/wait-for.js";

/** The host from which Chromium requests lists. */
const GOOGLE = "safebrowsing.googleapis.com";

const openssl = (cwd, command) =>
  execFileSync("openssl", command.split(" "), { cwd, stdio: "ignore" });

/**
 * A TLS front that forwards requests for Google's host to the server at `port`. An authority of its own has issued its
 * certificate.
 */
export async function tlsFront(port) {
  const folder = newFolder("front");
  const file = (name) => join(folder, name);
  const certificate = "req -x509 -newkey rsa:2048 -nodes -days 30";
  openssl(folder, `${certificate} -keyout ca.key -out ca.crt -subj /CN=authority`);
  const issued = `-CA ca.crt -CAkey ca.key -addext subjectAltName=DNS:${GOOGLE}`;
  openssl(
    folder,
    `${certificate} ${issued} -addext basicConstraints=critical,CA:FALSE -keyout key -out crt -subj /CN=${GOOGLE}`,
  );

  const options = { key: readFileSync(file("key")), cert: readFileSync(file("crt")) };
  const server = createServer(options, ({ url, method, headers }, response) => {
    const forwarded = request({ host: "127.0.0.1", port, path: url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    forwarded.on("error", () => response.destroy());
    forwarded.end();
  });
  return { authority: file("ca.crt"), ...(await listen(server)) };
}

/**
 * A Chromium with the arguments of docs/examples/chromium. The front serves the lists over "v5" or, without the
 * argument for v5, over "v4". Every host below `.test` resolves to this computer.
 */
export async function chromium({ path, certutil, front, protocol }) {
  const home = newFolder("chromium");
  const database = join(home, ".pki/nssdb");
  mkdirSync(database, { recursive: true });
  execFileSync(certutil, ["-d", `sql:${database}`, "-N", "--empty-password"]);
  const trusted = ["-t", "C,,", "-n", "local", "-i", front.authority];
  execFileSync(certutil, ["-d", `sql:${database}`, "-A", ...trusted]);
  const script = example("chromium/chromium.sh", { $server: `127.0.0.1:${front.port}` });
  const [, resolverRules] = /--host-resolver-rules="(.+)"/.exec(script);
  const [enableV5] = /--enable-features=\S+/.exec(script);
  const browser = await puppeteer.launch({
    executablePath: path,
    headless: true,
    userDataDir: join(home, "profile"),
    env: { ...process.env, HOME: home },
    // Updates need background networking, and Puppeteer's list of features would replace the one below.
    ignoreDefaultArgs: [
      "--disable-background-networking",
      ...puppeteer.defaultArgs().filter((arg) => /^--(?:en|dis)able-features=/.test(arg)),
    ],
    args: [
      // The sandbox does not work for root, and CI runs as root.
      "--no-sandbox",
      `--host-resolver-rules=${resolverRules}, MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
      ...(protocol === "v5" ? [enableV5] : []),
    ],
  });
  const page = await browser.newPage();
  return {
    /** Opens a URL, and returns "page" or "blocked". */
    async open(url) {
      try {
        await page.goto(url, { timeout: 30_000 });
        return await page.title();
      } catch (error) {
        if (!/ERR_BLOCKED_BY_CLIENT/.test(error.message)) throw error;
        await waitFor("the red page", () =>
          // The red page appears after the error, and nothing can be read in between.
          page.evaluate(() => document.body.className === "safe-browsing").catch(() => false),
        );
        return "blocked";
      }
    },
    async stop() {
      await browser.close();
    },
  };
}
