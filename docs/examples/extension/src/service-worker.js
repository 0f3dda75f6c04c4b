import { keepCurrent, loadedClient, restart, settings } from "./client.js";

/** For each tab, the URL that may be opened because the server said that it is not listed. */
const cleared = new Map();

/** Checks a page that opens in a tab or in a frame, and blocks it if it may be listed. */
async function look({ tabId, frameId, url }) {
  if (!/^https?:/.test(url) || cleared.get(tabId) === url) return;
  const frame = frameId !== 0;
  let doubt;
  try {
    const { checkLocally } = await loadedClient();
    const { verdict, reason, local } = checkLocally(url, { frame });
    // The blocked page asks the server about a URL that may be listed.
    if (verdict === "unsafe" || (verdict === "unsure" && local === "listed")) {
      await block(tabId, url, frame);
      return;
    }
    doubt = reason;
  } catch (error) {
    doubt = error.message;
  }
  if (!frame) await showDoubt(tabId, doubt);
}

async function block(tabId, url, frame) {
  const tab = await chrome.tabs.get(tabId);
  // If the page is already in the history of the tab, "Go back" has to skip it.
  const steps = frame || tab.url === url ? 2 : 1;
  const query = new URLSearchParams({ url, steps, frame });
  await chrome.tabs.update(tabId, { url: chrome.runtime.getURL(`blocked.html?${query}`) });
}

/** Marks a tab whose page could not be checked; with `null`, removes the mark. */
async function showDoubt(tabId, doubt) {
  const title = doubt === null ? "URL lists" : `This page could not be checked: ${doubt}`;
  await chrome.action.setBadgeText({ tabId, text: doubt === null ? "" : "?" });
  await chrome.action.setTitle({ tabId, title });
}

/** Asks the server about a URL, for the blocked page. */
async function verdictOn({ url, frame }, tabId) {
  const { check } = await loadedClient();
  const { verdict, reason, matches, error } = await check(url, { frame });
  if (verdict === "safe") cleared.set(tabId, url);
  return { verdict, reason, matches, error: error?.message ?? null };
}

async function state() {
  const saved = await settings();
  try {
    const { lists, lastError } = (await loadedClient()).status();
    return { settings: saved, lists, error: lastError?.message ?? null };
  } catch (error) {
    return { settings: saved, lists: [], error: error.message };
  }
}

// Extension calls for a tab fail if the tab has been closed.
const lookAt = (details) => look(details).catch(console.warn);
chrome.webNavigation.onBeforeNavigate.addListener(lookAt);
// A script can change the URL of its page without loading another one.
chrome.webNavigation.onHistoryStateUpdated.addListener(lookAt);
// The target of a redirect is known only when the navigation is committed.
chrome.webNavigation.onCommitted.addListener(async (details) => {
  await lookAt(details);
  if (cleared.get(details.tabId) === details.url) cleared.delete(details.tabId);
});
chrome.tabs.onRemoved.addListener((tabId) => cleared.delete(tabId));

chrome.alarms.onAlarm.addListener(keepCurrent);
chrome.storage.local.onChanged.addListener(restart);
chrome.action.onClicked.addListener(() => chrome.runtime.openOptionsPage());
chrome.runtime.onMessage.addListener((question, sender, respond) => {
  const answer = question.url === undefined ? state() : verdictOn(question, sender.tab.id);
  answer.then(respond, (error) =>
    respond({ verdict: "unsure", matches: [], error: error.message }),
  );
  // `true` tells Chromium that the answer comes later.
  return true;
});

// Tabs and the options page also show errors in the settings.
keepCurrent().catch(console.warn);
