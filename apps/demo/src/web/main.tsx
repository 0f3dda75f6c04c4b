import { render } from "preact";
import { App } from "./app.tsx";
import { scriptUrl } from "./worker-client.ts";

function show(): void {
  const page = document.getElementById("page")!;
  page.replaceChildren();
  render(<App />, page);
}

/** A late change of fonts would move text, so the page waits for its fonts, but at most this many milliseconds. */
const LONGEST_WAIT = 1000;
Promise.race([
  Promise.allSettled([...document.fonts].map((font) => font.load())),
  new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT)),
]).then(show);

// Without a service worker (on an insecure address, in a private window), the page works, but cannot be loaded offline.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  navigator.serviceWorker.register(scriptUrl("./sw.js")).catch(() => {});
}
