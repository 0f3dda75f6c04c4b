import puppeteer from "puppeteer-core";
import { ENVIRONMENT, QUIET } from "../../server/firefox/firefox.js";
import { newFolder } from "../../server/support/new-folder.js";
import { waitFor } from "../../server/support/wait-for.js";

const CHROMIUM_ARGS = [
  // The sandbox does not work for root, and CI runs as root.
  "--no-sandbox",
  // Loopback addresses are requested through the proxy, too.
  "--proxy-bypass-list=<-loopback>",
  "--disable-features=HttpsUpgrades,LocalNetworkAccessChecks",
];

/** The maximum number of texts in one message to a browser. */
const AT_ONCE = 20_000;

/** The page that opens other pages in frames. */
const START = "http://start.test/";

/** Runs in a page. Returns the host that `URL` finds in each text; `null` when browsers do not open it as a page. */
function hostsInPage(json) {
  const hosts = JSON.parse(json).map((text) => {
    try {
      const { protocol, hostname } = new URL(text);
      return /^(?:https?|ftp|wss?):$/.test(protocol) ? hostname : null;
    } catch {
      return null;
    }
  });
  return JSON.stringify(hosts);
}

/** Runs in a page. Returns the URL that each text opens as a link on `start`, without a user; `null` for none. */
function linksInPage(json) {
  const { texts, start } = JSON.parse(json);
  const links = texts.map((text) => {
    try {
      const url = new URL(text, start);
      url.username = "";
      return url.href;
    } catch {
      return null;
    }
  });
  return JSON.stringify(links);
}

/** Runs in a page. Opens a text in a frame. */
function openInFrame(json) {
  document.querySelector("iframe")?.remove();
  const frame = document.createElement("iframe");
  frame.src = JSON.parse(json);
  document.body.append(frame);
}

/**
 * Runs in a page. Shows HTML in a frame, and returns the URLs that the browser reports for links and other elements,
 * and those that it has requested.
 */
async function referencesInPage(json) {
  const { html } = JSON.parse(json);
  document.querySelector("iframe")?.remove();
  const frame = document.createElement("iframe");
  const loaded = new Promise((resolve) => {
    frame.onload = resolve;
  });
  frame.srcdoc = html;
  document.body.append(frame);
  await loaded;
  const shown = frame.contentDocument;
  const found = new Set([...shown.links].map((link) => link.href));
  const inStyle = /url\("([^"]*)"\)/g;
  for (const element of shown.querySelectorAll("*")) {
    if (element.localName === "base") continue;
    for (const name of ["href", "src", "currentSrc", "action", "formAction", "poster", "data"]) {
      const value = element[name];
      const written = name === "currentSrc" || element.hasAttribute(name.toLowerCase());
      if (typeof value === "string" && value !== "" && written) found.add(value);
      else if (typeof value?.baseVal === "string" && value.baseVal !== "") {
        try {
          found.add(new URL(value.baseVal, shown.baseURI).href);
        } catch {
          // Browsers do not open this URL.
        }
      }
    }
    const { backgroundImage } = frame.contentWindow.getComputedStyle(element);
    for (const [, url] of backgroundImage.matchAll(inStyle)) found.add(url);
  }
  // Browsers preload URLs before they have parsed the tags, and some of them ignore `<base>` then.
  const isGuessed = shown.querySelector("base") !== null;
  const requests = isGuessed ? [] : frame.contentWindow.performance.getEntriesByType("resource");
  return JSON.stringify({ reported: [...found], requested: requests.map(({ name }) => name) });
}

/** Chromium or Firefox, with a page. All its requests go through the proxy at `proxyPort`. */
async function launch(kind, path, proxyPort) {
  const profile = newFolder(kind);
  const browser = await puppeteer.launch({
    browser: kind,
    executablePath: path,
    headless: true,
    userDataDir: profile,
    ...(kind === "chrome"
      ? { args: [...CHROMIUM_ARGS, `--proxy-server=127.0.0.1:${proxyPort}`] }
      : {
          extraPrefsFirefox: {
            ...QUIET,
            "network.proxy.http_port": proxyPort,
            "network.proxy.allow_hijacking_localhost": true,
            "network.proxy.no_proxies_on": "",
            "network.lna.blocking": false,
          },
          env: ENVIRONMENT,
        }),
  });
  const page = await browser.newPage();
  // JSON escapes halves of surrogate pairs, which could not be sent otherwise.
  const ask = (function_, value) => page.evaluate(function_, JSON.stringify(value));
  return {
    name: kind,
    hosts: async (texts) => JSON.parse(await ask(hostsInPage, texts)),
    links: async (texts) => JSON.parse(await ask(linksInPage, { texts, start: START })),
    start: () => page.goto(START),
    references: async (html) => JSON.parse(await ask(referencesInPage, { html })),
    openInFrame: (text) => ask(openInFrame, text),
    async close() {
      await browser.close();
    },
  };
}

/** Hosts to which browsers send requests on their own. */
const OF_BROWSERS = /\.(?:google|googleapis|gstatic|mozilla|firefox)\.(?:com|net|org)$/;

/** Chromium and Firefox. The proxy may be `null` when no page is opened. */
export async function browsers(paths, proxy = null) {
  // Nothing listens on port 9.
  const port = proxy?.port ?? 9;
  const all = await Promise.all([
    launch("chrome", paths.chromium, port),
    launch("firefox", paths.firefox, port),
  ]);
  return {
    all,
    startPage: START,
    /** The hosts that one of the browsers opens, for each text. */
    async hosts(texts) {
      const hosts = texts.map(() => []);
      for (let start = 0; start < texts.length; start += AT_ONCE) {
        const part = texts.slice(start, start + AT_ONCE);
        const answers = await Promise.all(all.map((browser) => browser.hosts(part)));
        for (const answer of answers) {
          for (const [i, host] of answer.entries()) {
            if (host !== null && !hosts[start + i].includes(host)) hosts[start + i].push(host);
          }
        }
      }
      return hosts;
    },
    /** Opens texts that a browser opens over HTTP, and returns the hosts that are requested. */
    async open(browser, texts) {
      await browser.start();
      const requested = [];
      for (const text of texts) {
        proxy.hosts.length = 0;
        await browser.openInFrame(text);
        requested.push(
          await waitFor(`a request for ${JSON.stringify(text)}`, () =>
            proxy.hosts.find((host) => !OF_BROWSERS.test(host)),
          ),
        );
      }
      return requested;
    },
    async close() {
      for (const browser of all) await browser.close();
    },
  };
}

/** The URL that Chromium opens for a text in its command line; `null` when Chromium opens no page for it. */
export async function chromiumArgument(path, text) {
  const profile = newFolder("chrome");
  const browser = await puppeteer.launch({
    executablePath: path,
    headless: true,
    userDataDir: profile,
    args: [...CHROMIUM_ARGS, "--proxy-server=127.0.0.1:9", "--", text],
  });
  try {
    const opened = await waitFor(`Chromium to open ${JSON.stringify(text)}`, () =>
      browser
        .targets()
        .map((target) => target.type() === "page" && target.url())
        .find((url) => url && url !== "about:blank"),
    );
    return /^https?:/.test(opened) ? opened : null;
  } finally {
    await browser.close();
  }
}
