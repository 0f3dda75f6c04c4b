import { results } from "./cases.js";

/** Sends a message to a worker, and waits for the answer. */
function ask(worker, message) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
    worker.postMessage(message, [port2]);
  });
}

const worker = new Worker("worker.js", { type: "module" });

async function serviceWorker() {
  const registration = await navigator.serviceWorker.register("service-worker.js", {
    type: "module",
  });
  const found = registration.installing ?? registration.active;
  return ask(found, {});
}

/** The functions that run the tests in each place and return the results. */
window.places = {
  page: () => results("page"),
  "page, with lists built in a worker": async () => {
    let jobs = 0;
    const apply = (job) => {
      jobs++;
      return ask(worker, { job });
    };
    const found = await results("apart", { updates: { apply } });
    return jobs === 1 ? found : { error: `the worker got ${jobs} jobs` };
  },
  worker: () => ask(worker, { place: "worker" }),
  "service worker": serviceWorker,
};
document.title = "ready";
