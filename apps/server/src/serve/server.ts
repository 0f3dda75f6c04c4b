import type { Registry } from "prom-client";
import { keepPrivate } from "./api-keys.ts";
import {
  type Certificate,
  createEndpoints,
  type EndpointOptions,
  type Origins,
} from "./endpoints.ts";
import { type LocalHashes, localHashes } from "./lists/local-hashes.ts";
import type { ServedLists } from "./lists/served-lists.ts";
import { checkTwins } from "./lists/served-lists.ts";
import type { ServerLog } from "./log.ts";
import type { AllProcesses } from "./operator-routes.ts";
import { createMetrics } from "./pages/metrics.ts";
import { pollLists, problemsForLog } from "./poll-lists.ts";
import { createSite, type Site, type SiteContext, type SiteOptions } from "./site.ts";
import { codedUpdates } from "./updates/coded-updates.ts";
import { type MemoryOptions, versionMemory } from "./version-memory.ts";
import { type Aside, asideInThread } from "./worker-thread/run-job.ts";

export interface ServerOptions extends SiteOptions, MemoryOptions, EndpointOptions {
  /** How many bytes of full hashes may be in memory. */
  readonly hashMemory: number;
  /** The folder for files with all other full hashes. */
  readonly hashFolder: string;
  /** How long the full hashes of a version are kept after it was served, in milliseconds; one minute by default. */
  readonly hashGrace?: number | undefined;
  /** Registers metrics that are measured elsewhere. */
  readonly moreMetrics?: (register: Registry) => void;
  /** Only if this process is one of several. */
  readonly processes?: AllProcesses | undefined;
  /** Runs the jobs on long lists, by default in a separate thread. */
  readonly aside?: Aside;
}

export interface RunningServer extends Readonly<Origins> {
  readonly lists: ServedLists;
  /** Updates the lists of other servers now. */
  updateUpstreams(): Promise<void>;
  /**
   * Serves with other settings from now on. Throws, and changes nothing, if a list that is served now could not be
   * served with these settings.
   */
  reload(options: SiteOptions): Promise<void>;
  /** Records for the metrics whether settings or a certificate could be read again. */
  onReload(isSuccessful: boolean): void;
  /** Sets the certificate for new connections. */
  useCertificate(certificate: Certificate): void;
  /** Finishes the answers in progress, and stops. Idle connections are kept for `linger` milliseconds. */
  stop(linger?: number): Promise<void>;
}

/** Logs which lists of a site are missing or have a problem. */
function logProblems(
  { lists, options: { keys, optional = new Set() } }: Site,
  log: ServerLog,
): void {
  for (const { message, facts } of problemsForLog(lists)) log.error(message, facts);
  const names = new Set(lists.all().map(({ name }) => name));
  for (const list of keys.lists) {
    // The list may be published later, so the server starts anyway.
    if (!names.has(list)) {
      log.error(`The API keys name the list ${list}, which is not in the store.`, { list });
    }
  }
  for (const list of optional) {
    if (!names.has(list)) log.error(`The optional list ${list} is not in the store.`, { list });
  }
}

/** Logs which lists are private only because they were private before. */
function logClosed({ options: { keys } }: Site, settings: SiteOptions, log: ServerLog): void {
  for (const list of keys.lists) {
    if (settings.keys.isPrivate(list)) continue;
    log.error(
      `The list ${list} was private, and stays so, although no reader has a key for it. If everybody may have it, add it to public-lists.`,
      { list },
    );
  }
}

/** Reads all lists of a site. Upstreams that the site took over from the previous one are not loaded again. */
async function load(site: Site, before: Site | null): Promise<void> {
  const fresh = site.upstreams.filter((each) => !before?.upstreams.includes(each));
  await Promise.all(fresh.map((each) => each.load()));
  await site.lists.refresh();
  checkTwins(site.stored.lists, site.upstreams);
}

/**
 * Throws if a list that is served now could no longer be served, if the settings newly name a list that cannot be
 * served, or if nothing would be served.
 */
function checkServed(now: Site, next: Site): void {
  const isServed = new Map(now.lists.all().map(({ name, loaded }) => [name, loaded !== null]));
  const named = next.options.only ?? new Set();
  const lost = next.lists
    .all()
    .find(({ name, loaded }) => loaded === null && (isServed.get(name) ?? named.has(name)));
  if (lost !== undefined) {
    throw new Error(
      `with the new settings, the list ${lost.name} could not be served: ${lost.problem}`,
    );
  }
  const hasLists = [...isServed.values()].includes(true);
  if (hasLists && next.lists.all().every(({ loaded }) => loaded === null)) {
    throw new Error("with the new settings, no list could be served");
  }
}

/**
 * Creates a site with other settings, and reads its lists. Throws if a list that is served now would no longer be
 * served.
 */
async function nextSite(settings: SiteOptions, context: SiteContext, before: Site): Promise<Site> {
  const keys = keepPrivate(settings.keys, before.options.keys.lists);
  const next = createSite({ ...settings, keys }, context, before);
  try {
    await load(next, before);
    checkServed(before, next);
    return next;
  } catch (error) {
    // The full hashes of lists that are not served after all are dropped.
    for (const { loaded } of next.stored === before.stored ? [] : next.stored.lists.all()) {
      if (loaded !== null) context.hashes.drop(loaded);
    }
    throw error;
  } finally {
    // Lists that both sites share may be newer now.
    before.forgetAnswers();
  }
}

/** Changes over to a site: starts its new upstreams, and stops those that only the previous site had. */
async function changeOver(next: Site, before: Site, { hashes, log }: SiteContext): Promise<void> {
  hashes.dropOlder(next.stored.lists.all());
  for (const each of next.upstreams) if (!before.upstreams.includes(each)) each.start();
  const gone = before.upstreams.filter((each) => !next.upstreams.includes(each));
  await Promise.all(gone.map((each) => each.stop()));
  logProblems(next, log);
}

/**
 * The lists that are served now. When they change, full hashes that belong only to versions no longer served are
 * dropped.
 */
function currentLists(site: () => Site, hashes: LocalHashes): ServedLists {
  function shown(isChanged: boolean): boolean {
    if (isChanged) hashes.dropOlder(site().stored.lists.all());
    return isChanged;
  }
  return {
    all: () => site().lists.all(),
    refresh: async () => shown(await site().lists.refresh()),
    expire: () => shown(site().lists.expire()),
  };
}

/** Starts a server, which serves the lists of a store and of other servers until it is stopped. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { log, aside = asideInThread() } = options;
  let certificate = options.tls;
  let site: Site;
  const current = () => site;
  const hashes = localHashes({
    memory: options.hashMemory,
    folder: options.hashFolder,
    grace: options.hashGrace,
    onUnreadable({ entry: { manifest } }, error) {
      const { list, version } = manifest;
      log.error(`Full hashes cannot be read: ${error.message}`, { list, version });
    },
  });
  const lists = currentLists(current, hashes);
  const metrics = createMetrics({
    lists,
    upstreams: () => site.upstreams,
    isPrivate: (list) => site.options.keys.isPrivate(list),
    isOptional: (list) => site.isOptional(list),
    more: options.moreMetrics ?? (() => {}),
    certificateExpires: () => certificate?.expires ?? null,
  });
  const endpoints = createEndpoints(options, current, metrics);
  const { origins } = endpoints;
  const context: SiteContext = {
    aside,
    coded: codedUpdates(aside),
    hashes,
    metrics,
    memory: versionMemory(options),
    log,
    hasAdmin: options.admin !== undefined,
    isStopping: endpoints.isStopping,
    processes: options.processes,
  };
  const keys = keepPrivate(options.keys, context.memory.privateLists());
  site = createSite({ ...options, keys }, context);
  await load(site, null);
  context.memory.rememberKeys(keys);
  hashes.dropOlder(site.stored.lists.all());
  logProblems(site, log);
  logClosed(site, options, log);
  options.processes?.show({
    readiness: () => site.readiness(),
    metrics: metrics.numbers,
    searchUpstream: async (search) =>
      site.upstreams.find(({ settings }) => settings === search.settings)?.search(search),
  });
  await endpoints.listen();
  for (const each of site.upstreams) each.start();
  const stopPolling = pollLists(lists, {
    poll: () => site.options.poll,
    log,
    onChange: () => site.forgetAnswers(),
  });
  return {
    ...origins,
    lists,
    async updateUpstreams() {
      await Promise.all(site.upstreams.map((each) => each.update()));
    },
    async reload(settings) {
      const before = site;
      site = await nextSite(settings, context, before);
      await changeOver(site, before, context);
      context.memory.rememberKeys(site.options.keys);
      logClosed(site, settings, log);
    },
    onReload: metrics.onReload,
    useCertificate(next) {
      endpoints.useCertificate(next);
      certificate = next;
    },
    async stop(linger = 0) {
      const polled = stopPolling();
      await endpoints.drain(linger);
      await Promise.all(site.upstreams.map((each) => each.stop()));
      await polled;
      hashes.close();
      await aside.close();
    },
  };
}
