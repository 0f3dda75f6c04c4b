import { render } from "preact";
import { App } from "./app.tsx";
import { permitsWebAssembly } from "./permits-webassembly.ts";
import { scriptUrl } from "./script-url.ts";
import { startWorkerClient } from "./worker-client.ts";

const page = document.getElementById("page")!;
page.replaceChildren();
render(<App worker={startWorkerClient()} isWebAssemblyPermitted={permitsWebAssembly()} />, page);

// Without a service worker (on an insecure address, in a private window) the page works, but not offline.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  navigator.serviceWorker.register(scriptUrl("./sw.js")).catch(() => {});
}
