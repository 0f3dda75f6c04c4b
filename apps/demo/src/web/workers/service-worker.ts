/*
 * Keeps the files of the page, so that the page works offline after the first load. This is a classic script, because
 * not every browser accepts a module as a service worker.
 */

interface Precache {
  readonly version: string;
  /** The URLs of the files, relative to the service worker. */
  readonly files: readonly string[];
}

declare const __PRECACHE__: Precache;

const worker = self as unknown as ServiceWorkerGlobalScope;
const { version, files } = __PRECACHE__;
const PREFIX = "urlhash-";
const CACHE = PREFIX + version;
const kept = new Set(files.map((file) => new URL(file, worker.location.href).href));
const page = new URL("./", worker.location.href).href;
const settings = new URL("settings.json", worker.location.href).href;

async function keepFiles(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll([...kept]);
  await worker.skipWaiting();
}

async function forgetOldFiles(): Promise<void> {
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
  }
  await worker.clients.claim();
}

/** A file from the cache of this version or, if it is not there, from the server. */
async function answerFile(url: string, request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  return (await cache.match(url)) ?? fetch(request);
}

/** A file from the server or, when the server cannot be reached, from the cache. */
async function answerNewest(url: string, request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(url);
    if (kept === undefined) throw error;
    return kept;
  }
}

worker.addEventListener("install", (event) => event.waitUntil(keepFiles()));
worker.addEventListener("activate", (event) => event.waitUntil(forgetOldFiles()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const { origin, pathname } = new URL(request.url);
  const url = origin + pathname;
  if (url === page || url === `${page}index.html`) {
    event.respondWith(answerNewest(page, request));
  } else if (url === settings) {
    event.respondWith(answerNewest(url, request));
  } else if (kept.has(url)) event.respondWith(answerFile(url, request));
});
