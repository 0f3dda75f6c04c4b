import { isDeepStrictEqual } from "node:util";
import { createAnswering, type Durations } from "./answering.ts";
import { createApi } from "./api.ts";
import type { ApiKeys } from "./api-keys.ts";
import type { HttpOptions } from "./http/http-server.ts";
import { NO_ORIGINS, type Origins, type Reply } from "./http/reply.ts";
import type { LocalHashes } from "./lists/local-hashes.ts";
import type { Prepare } from "./lists/refresh-lists.ts";
import { type FullHashFinder, fullHashFinder } from "./lists/search-lists.ts";
import type { ServedLists } from "./lists/served-lists.ts";
import { joinLists } from "./lists/served-lists.ts";
import { type StoredListsOptions, storedLists } from "./lists/stored-lists.ts";
import type { ServerLog } from "./log.ts";
import { createLookup } from "./lookup/lookup.ts";
import type { OhttpKeys } from "./ohttp/gateway.ts";
import { gatewayRoutes } from "./ohttp/gateway.ts";
import {
  type AllProcesses,
  type AnswerRequests,
  dispatchAdmin,
  operatorRoutes,
  readyReply,
} from "./operator-routes.ts";
import type { Metrics } from "./pages/metrics.ts";
import { NO_OPERATOR, type Operator } from "./pages/operator.ts";
import { createRoutes, dispatch, METHODS } from "./routes.ts";
import type { CodedUpdates } from "./updates/coded-updates.ts";
import { prepareUpdates } from "./updates/coded-updates.ts";
import {
  type UpstreamLists,
  type UpstreamOptions,
  upstreamLists,
} from "./upstream/upstream-lists.ts";
import type { VersionMemory } from "./version-memory.ts";
import type { Aside } from "./worker-thread/run-job.ts";

/** The settings that say which lists of the store are served, and how. */
const STORED_SETTINGS = ["storage", "publicKeys", "window", "longer", "only"] as const;

type StoredSettings = Pick<StoredListsOptions, (typeof STORED_SETTINGS)[number]>;

/** The settings that can change while the server runs. */
export interface SiteOptions extends Durations, StoredSettings {
  readonly keys: ApiKeys;
  /** The origins whose pages may read answers about private lists; none by default. */
  readonly origins?: Origins | undefined;
  /** Other servers whose lists this server fetches and serves. */
  readonly upstreams?: readonly UpstreamOptions[] | undefined;
  /** The optional lists. The server is ready even if one of them has a problem. */
  readonly optional?: ReadonlySet<string> | undefined;
  /** The time between two checks for new versions, in milliseconds. */
  readonly poll: number;
  /** The keys of the gateway for Oblivious HTTP; without keys, there is no gateway. */
  readonly ohttp?: OhttpKeys | undefined;
  /** The operator that the server's pages name. */
  readonly operator?: Operator;
}

/** The parts of a server that stay the same when settings change. */
export interface SiteContext {
  readonly aside: Aside;
  readonly coded: CodedUpdates;
  readonly hashes: LocalHashes;
  readonly metrics: Metrics;
  readonly memory: VersionMemory;
  readonly log: ServerLog;
  /** Whether `/metrics`, `/readyz` and `/healthz` are served at an address of their own. */
  readonly hasAdmin: boolean;
  /** Whether the server is finishing its last answers. */
  readonly isStopping: () => boolean;
  /** Only if this process is one of several. */
  readonly processes?: AllProcesses | undefined;
}

/** The lists of the store and the function that searches them. */
interface StoredSide {
  readonly lists: ServedLists;
  readonly findFullHashes: FullHashFinder;
}

/** Everything that is served with one set of settings. */
export interface Site {
  readonly options: SiteOptions;
  readonly stored: StoredSide;
  readonly lists: ServedLists;
  readonly upstreams: readonly UpstreamLists[];
  readonly http: AnswerRequests;
  readonly answerAdmin: HttpOptions["answer"];
  /** Whether this process is ready. */
  readonly readiness: () => Reply;
  /** Whether the server is ready even if this list has a problem. */
  readonly isOptional: (list: string) => boolean;
  /** Call this when the lists have changed. */
  forgetAnswers(): void;
}

/*
 * All functions made in one call keep all variables that any of them uses in memory. So the functions of new lists are
 * made where the previous site is not a variable. Otherwise, each site would keep all earlier ones.
 */

/** Whether two sites serve the same lists of the store. */
function haveSameStore(options: SiteOptions, before: SiteOptions): boolean {
  return STORED_SETTINGS.every((name) =>
    name === "storage"
      ? options.storage === before.storage
      : isDeepStrictEqual(options[name], before[name]),
  );
}

/** Creates the lists of the store. */
function storedSide(
  { storage, publicKeys, window, longer, only }: SiteOptions,
  { aside, coded, hashes, memory, log }: SiteContext,
): StoredSide {
  const lists = storedLists({
    storage,
    publicKeys,
    window,
    longer,
    only,
    hashes,
    aside,
    seen: memory.seen(),
    prepare: (...versions) => prepareUpdates(coded, ...versions),
    onLoaded(list, seen) {
      const { version, retired } = seen;
      log.info("list loaded", { list, version });
      if (retired)
        log.warn("The list was retired: it stays empty, and never expires.", { list, version });
      memory.remember(list, seen);
    },
    onEmptyFolder(list) {
      log.warn("The folder of the list has no version, so there is no such list.", { list });
    },
  });
  return { lists, findFullHashes: fullHashFinder(hashes) };
}

/** The lists of another server that the previous site has, if their settings have not changed. */
function knownUpstream(
  { settings }: UpstreamOptions,
  window: number,
  { options, upstreams }: Site,
): UpstreamLists | undefined {
  if (options.window !== window) return undefined;
  return upstreams.find((each) => each.settings === settings);
}

function newUpstream(
  upstream: UpstreamOptions,
  window: number,
  { aside, coded, log, processes }: SiteContext,
): UpstreamLists {
  const prepare: Prepare = (...versions) => prepareUpdates(coded, ...versions);
  const through = processes?.searchUpstream;
  return upstreamLists(upstream, { window, aside, log, prepare, through });
}

/** Creates a site without reading its lists. Parts whose settings are the same as in `before` are reused. */
export function createSite(
  options: SiteOptions,
  context: SiteContext,
  before: Site | null = null,
): Site {
  const { keys, window, operator = NO_OPERATOR, optional = new Set() } = options;
  const { metrics, hasAdmin, isStopping } = context;
  const isSameStore = before !== null && haveSameStore(options, before.options);
  const stored = isSameStore ? before.stored : storedSide(options, context);
  const upstreams: UpstreamLists[] = [];
  for (const each of options.upstreams ?? []) {
    const known = before === null ? undefined : knownUpstream(each, window, before);
    upstreams.push(known ?? newUpstream(each, window, context));
  }
  const lists = joinLists(stored.lists, upstreams);
  const isOptional = (list: string) => optional.has(list);
  const answering = createAnswering({
    lists,
    keys,
    origins: options.origins ?? NO_ORIGINS,
    wait: options.wait,
    cache: options.cache,
    now: Date.now,
    findFullHashes: stored.findFullHashes,
    codedUpdates: context.coded,
  });
  const api = createApi(answering, METHODS, metrics.onAnswered);
  const readiness = () => readyReply(lists, { isPrivate: keys.isPrivate, isOptional });
  const adminRoutes = operatorRoutes({ readiness, metrics, isStopping, all: context.processes });
  const routes = createRoutes({
    api,
    operator,
    lists,
    keys,
    lookUp: createLookup(answering, metrics.onLookUp),
    ohttp: options.ohttp === undefined ? [] : gatewayRoutes(options.ohttp, api),
    admin: hasAdmin ? [] : adminRoutes,
  });
  return {
    options,
    stored,
    lists,
    upstreams,
    isOptional,
    http: dispatch(routes, api),
    answerAdmin: dispatchAdmin(adminRoutes),
    readiness,
    forgetAnswers: api.forgetAnswers,
  };
}
