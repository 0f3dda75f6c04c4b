const { server, lists, key } = document.forms[0].elements;
const state = () => chrome.runtime.sendMessage({});

async function showState() {
  const { lists: kept, error } = await state();
  const texts = kept.map(({ name, size, problem }) => `${name}: ${problem ?? `${size} entries`}`);
  document.querySelector("#state").textContent = [...texts, ...(error ? [error] : [])].join("; ");
}

document.forms[0].addEventListener("submit", async (event) => {
  event.preventDefault();
  await chrome.storage.local.set({
    server: server.value,
    lists: lists.value.trim().split(/\s+/),
    key: key.value,
  });
});

const { settings } = await state();
server.value = settings.server;
lists.value = settings.lists.join(" ");
key.value = settings.key;
await showState();
setInterval(showState, 1000);
