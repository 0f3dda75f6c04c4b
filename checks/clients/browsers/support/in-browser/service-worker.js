import { results } from "./cases.js";

addEventListener("message", (event) => {
  const work = results("service worker").then((found) => event.ports[0].postMessage(found));
  event.waitUntil(work);
});
