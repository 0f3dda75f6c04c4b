import puppeteer from "puppeteer-core";
import { urlhashServer } from "../support/commands.js";
import { newFolder } from "../support/new-folder.js";
import { waitFor } from "../support/wait-for.js";

/** Settings that keep Firefox from talking to anyone but the tests. */
export const QUIET = {
  // The remote agent would switch Safe Browsing off.
  "remote.prefs.recommended": false,
  "browser.safebrowsing.update.enabled": true,
  "datareporting.policy.dataSubmissionEnabled": false,
  "toolkit.telemetry.enabled": false,
  "toolkit.telemetry.server": "data:,",
  "app.normandy.enabled": false,
  "app.update.disabledForTesting": true,
  "extensions.update.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "security.OCSP.enabled": 0,
  "services.settings.server": "data:,#remote-settings-dummy/v1",
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.page": 0,
  "dom.security.https_first": false,
  "network.proxy.type": 1,
  "network.proxy.http": "127.0.0.1",
  "network.proxy.http_port": 9,
  "network.proxy.ssl": "127.0.0.1",
  "network.proxy.ssl_port": 9,
};

/** With this variable, Firefox accepts the setting that turns its downloads of remote settings off. */
export const ENVIRONMENT = { ...process.env, MOZ_REMOTE_SETTINGS_DEVTOOLS: "1" };

/** The settings that `urlhash-server firefox` prints for people's profiles. */
export async function printedSettings(origin, protocol) {
  const args = protocol === "v4" ? ["--v4"] : [];
  return settingsIn(await urlhashServer("firefox", origin, ...args));
}

/** The settings in the text of a user.js. */
export function settingsIn(text) {
  const lines = text.matchAll(/^user_pref\((.*)\);$/gm);
  return Object.fromEntries(Array.from(lines, ([, line]) => JSON.parse(`[${line}]`)));
}

/**
 * A Firefox that keeps its profile when it is restarted. After each start, it asks for updates at once. If
 * `protocol` is `null`, the profile does not name the server, so the installation must. With `asksResolver`, it asks
 * the machine's resolver about the hosts, which are on this machine otherwise.
 */
export async function firefox({ path, origin, protocol, hosts, asksResolver = false }) {
  const profile = newFolder("firefox");
  const settings = {
    ...QUIET,
    ...(protocol === null ? {} : await printedSettings(origin, protocol)),
    "network.dns.localDomains": asksResolver ? "" : hosts.join(","),
    "network.proxy.no_proxies_on": ["127.0.0.1", ...hosts].join(", "),
  };
  let browser = null;
  let page = null;
  return {
    async start() {
      browser = await puppeteer.launch({
        browser: "firefox",
        executablePath: path,
        headless: true,
        userDataDir: profile,
        extraPrefsFirefox: settings,
        env: ENVIRONMENT,
      });
      page = await browser.newPage();
    },
    async stop() {
      await browser?.close();
      browser = null;
    },
    /** Opens a URL, and returns "page", or the reason on the red page. */
    async open(url) {
      try {
        await page.goto(url, { timeout: 30_000 });
        return (await page.title()) === "page" ? "page" : `unknown page ${page.url()}`;
      } catch (error) {
        const [, reason] =
          /NS_ERROR_(MALWARE|PHISHING|UNWANTED|HARMFUL)_URI/.exec(error.message) ?? [];
        if (reason === undefined) throw error;
        return reason.toLowerCase();
      }
    },
    /** Opens a URL repeatedly until the result is the expected one. */
    waitUntil(url, expected) {
      return waitFor(`${url} to be ${expected}`, async () => (await this.open(url)) === expected);
    },
    /** The links of the red page that is shown, by name, and the text around the first one. */
    async redPage() {
      const read = () =>
        page.evaluate(() => {
          const linkTo = (id) => document.getElementById(id)?.getAttribute("href");
          return {
            text: document.getElementById("advisoryDescText").textContent,
            advisory: linkTo("advisory_provider"),
            description: linkTo("error_desc_link"),
          };
        });
      // Firefox writes the text only after it has loaded the page.
      let shown = null;
      await waitFor("the text of the red page", async () => {
        shown = await read();
        return shown.text.trim() !== "";
      });
      return shown;
    },
    /** Follows a link on the current page, and returns the text that people read there. */
    async follow(url) {
      await page.goto(url, { timeout: 30_000 });
      return page.evaluate(() => document.querySelector("main").textContent);
    },
    async remove() {
      await this.stop();
    },
  };
}
