import { render } from "preact";
import { App } from "./app.tsx";
import { permitsWebAssembly } from "./permits-webassembly.ts";
import { scriptUrl } from "./script-url.ts";
import { startWorkerClient } from "./worker-client.ts";

const page = document.getElementById("page")!;
page.replaceChildren();
render(<App worker={startWorkerClient()} isWebAssemblyPermitted={permitsWebAssembly()} />, page);

// Without one (an insecure address, a private window) the page works all the same, but not offline.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  navigator.serviceWorker.register(scriptUrl("./sw.js")).catch(() => {});
}
