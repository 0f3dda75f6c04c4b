import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { background } from "../support/background.js";
import { newFolder } from "../support/new-folder.js";
import { waitFor } from "../support/wait-for.js";
import { ENVIRONMENT, printedSettings, QUIET } from "./firefox.js";
import { marionette } from "./marionette.js";

/** Returns the URL that the address bar opens for each text; `null` when the address bar searches. */
const ADDRESS_BAR = `
  const { FIXUP_FLAG_ALLOW_KEYWORD_LOOKUP, FIXUP_FLAG_FIX_SCHEME_TYPOS } = Services.uriFixup;
  return args[0].map((text) => {
    try {
      const flags = FIXUP_FLAG_ALLOW_KEYWORD_LOOKUP | FIXUP_FLAG_FIX_SCHEME_TYPOS;
      const { preferredURI, fixedURI } = Services.uriFixup.getFixupURIInfo(text, flags);
      return preferredURI === null || !preferredURI.equals(fixedURI) ? null : preferredURI.spec;
    } catch {
      return null;
    }
  });`;

const KEYS = `
  const utils = Cc["@mozilla.org/url-classifier/utils;1"].getService(Ci.nsIUrlClassifierUtils);
  return args[0].map((url) => {
    try {
      return utils.getKeyForURI(Services.io.newURI(url));
    } catch {
      return null;
    }
  });`;

/**
 * Asks Safe Browsing about each URL, as page loads do: first the lists, and then the server, to confirm a match.
 * Returns the results; `null` for texts that Firefox does not read as URLs.
 */
const CLASSIFY = `
  const service = Cc["@mozilla.org/url-classifier/dbservice;1"].getService(Ci.nsIURIClassifier);
  const [urls, atOnce] = args;
  const results = new Array(urls.length).fill(null);
  const classify = (url) => new Promise((resolve) => {
    let principal;
    try {
      principal = Services.scriptSecurityManager.createContentPrincipal(Services.io.newURI(url), {});
    } catch {
      return resolve(null);
    }
    const isAsked = service.classify(principal, { onClassifyComplete: resolve });
    if (!isAsked) resolve(0);
  });
  let next = 0;
  await Promise.all(Array.from({ length: atOnce }, async () => {
    while (next < urls.length) {
      const i = next++;
      results[i] = await classify(urls[i]);
    }
  }));
  return results;`;

/** NS_ERROR_MALWARE_URI */
const MALWARE = 0x805d001e;
const AT_ONCE = 20;

/** A Firefox in which tests run scripts, with the lists of the server at `origin` over "v5" or "v4". */
export async function firefoxScripts({ path, origin = null, protocol = "v5" }) {
  const profile = newFolder("firefox");
  const settings = {
    ...QUIET,
    ...(origin === null ? {} : await printedSettings(origin, protocol)),
    "marionette.port": 0,
  };
  const lines = Object.entries(settings).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, "user.js"), lines.join("\n"));
  const args = ["--headless", "--marionette", "-remote-allow-system-access", "--no-remote"];
  const program = background(path, [...args, "--profile", profile], {
    stdio: "ignore",
    env: ENVIRONMENT,
  });
  const port = await program.until("Firefox", () => {
    try {
      return Number(readFileSync(join(profile, "MarionetteActivePort"), "utf8"));
    } catch {
      return null;
    }
  });
  const session = await marionette(port);

  const classify = (urls) => session.run(CLASSIFY, urls, AT_ONCE);
  return {
    /** Runs the body of an asynchronous function in the browser's own scope, and returns its result. */
    run: (body, ...args) => session.run(body, ...args),
    /** The URL that the address bar opens for each text; `null` when the address bar opens none or searches. */
    addressBar: (texts) => session.run(ADDRESS_BAR, texts),
    /** The text that Firefox cuts into expressions, for each URL; `null` when it does not load the URL. */
    keys: (urls) => session.run(KEYS, urls),
    /** Waits until Firefox has the list with a URL on it. */
    waitUntilBlocked: (url) =>
      waitFor(`${url} to be blocked`, async () => (await classify([url]))[0] === MALWARE),
    /** Whether Firefox finds each URL on the malware list, and the server confirms it. */
    async blocks(urls) {
      return (await classify(urls)).map((result) => result === MALWARE);
    },
    async stop() {
      session.close();
      await program.stop();
    },
  };
}
