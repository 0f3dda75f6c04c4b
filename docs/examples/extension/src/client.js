import { indexedDbStorage } from "@x/client/browser";
import { createClient } from "@x/client/v5";

/** The settings until the user saves others on the options page. */
const DEFAULTS = { server: "http://127.0.0.1:8080", lists: ["mw-4b", "se-4b"], key: "" };

export const settings = () => chrome.storage.local.get(DEFAULTS);

let loading = null;

/**
 * The client, with the stored lists loaded. Chromium often stops the service worker, so the lists are read again
 * after each restart.
 */
export function loadedClient() {
  loading ??= load();
  return loading;
}

async function load() {
  const { server, lists, key } = await settings();
  const client = createClient({
    protocol: "v5",
    server,
    lists,
    key: key || undefined,
    storage: indexedDbStorage(),
  });
  await client.load();
  return client;
}

/** Updates the lists if an update is due, and asks Chromium to wake the worker for the next update. */
export async function keepCurrent() {
  const { update, status } = await loadedClient();
  if ((status().nextUpdate ?? 0) <= Date.now()) {
    // Even during a download, Chromium stops a worker that has called no extension API for 30 seconds.
    const calls = setInterval(chrome.runtime.getPlatformInfo, 20_000);
    // If the update fails, the status has the error and the time of the next attempt.
    await update().catch(() => {});
    clearInterval(calls);
  }
  await chrome.alarms.create("update", { when: status().nextUpdate });
}

/** Replaces the client with one that uses the settings saved now. */
export async function restart() {
  const old = loading;
  loading = null;
  // If the old settings were wrong, there is no client to stop.
  await old?.then(({ stop }) => stop()).catch(() => {});
  await keepCurrent();
}
