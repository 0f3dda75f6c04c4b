import { indexedDbStorage } from "@x/client/browser";
import { createClient } from "@x/client/v5";

/** The settings in use until others are saved on the options page. */
const DEFAULTS = { server: "http://127.0.0.1:8080", lists: ["mw-4b", "se-4b"], key: "" };

export const settings = () => chrome.storage.local.get(DEFAULTS);

let loading = null;

/** The client, with the lists that are stored. Chromium stops service workers often; then the lists are read again. */
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

/** Updates the lists if that is due, and asks Chromium to wake the worker for the next update. */
export async function keepCurrent() {
  const { update, status } = await loadedClient();
  if ((status().nextUpdate ?? 0) <= Date.now()) {
    // Chromium stops a worker that has made no such call for 30 seconds, even during a download.
    const calls = setInterval(chrome.runtime.getPlatformInfo, 20_000);
    // If the update fails, the status has the error and the time of the next attempt.
    await update().catch(() => {});
    clearInterval(calls);
  }
  await chrome.alarms.create("update", { when: status().nextUpdate });
}

/** Restarts with the settings that are saved now. */
export async function restart() {
  const old = loading;
  loading = null;
  // With wrong settings, there is no client.
  await old?.then(({ stop }) => stop()).catch(() => {});
  await keepCurrent();
}
