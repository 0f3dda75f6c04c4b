import { Counter, Histogram, Registry } from "prom-client";
import type { ReplyHead } from "../http/reply.ts";
import type { ServedList, ServedLists } from "../lists/served-lists.ts";
import type { LookupCounts } from "../lookup/verdict-json.ts";
import type { Readiness } from "../operator-routes.ts";
import type { CallFacts } from "../protocols/call.ts";
import type { MetricNumbers } from "./prometheus.ts";
import { counterOf, gaugeOf, listGaugeOf, reloadGauges } from "./prometheus.ts";

/** The server's metrics, in Prometheus's text format. No label contains anything that a client chose. */
export interface Metrics {
  text(): Promise<string>;
  /** The same numbers, to be joined with those of other processes. */
  numbers(): Promise<readonly MetricNumbers[]>;
  onAnswered(facts: CallFacts): void;
  onLookUp(counts: LookupCounts): void;
  /** Call this when settings or a certificate were read again, or could not be read. */
  onReload(isSuccessful: boolean): void;
  onReply(reply: Pick<ReplyHead, "route" | "status">, seconds: number): void;
}

/** The numbers of requests that were sent to another server. */
interface Upstream {
  readonly name: string;
  requests(): {
    readonly updates: number;
    readonly searches: number;
    readonly prefixes: number;
  };
}

interface MetricsOptions extends Readiness {
  readonly lists: ServedLists;
  readonly upstreams: () => readonly Upstream[];
  /** When the certificate expires, in milliseconds since 1970; `null` without HTTPS. */
  readonly certificateExpires: () => number | null;
  /** Registers metrics that are measured elsewhere, such as those of the process. */
  readonly more: (register: Registry) => void;
}

/** The upper bounds of the buckets for the times of answers, in seconds. */
const BUCKETS = [
  ...[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5],
  ...[1, 2.5, 5, 10],
];

const inSeconds = (milliseconds: number | undefined) =>
  milliseconds === undefined ? undefined : milliseconds / 1000;

/** Registers metrics of the public lists. */
function registerLists(
  register: Registry,
  { lists, isPrivate, isOptional }: Pick<MetricsOptions, "lists" | "isPrivate" | "isOptional">,
): void {
  const shown = () =>
    lists.all().flatMap((list) => (isPrivate(list.name) ? [] : [[list.name, list] as const]));
  const ofEach = (name: string, help: string, numberOf: (list: ServedList) => number | undefined) =>
    listGaugeOf({ register, name, help }, shown, numberOf);
  ofEach(
    "urlhash_list_version",
    "Version of the list that is served",
    ({ loaded }) => loaded?.entry.manifest.version,
  );
  ofEach(
    "urlhash_list_issued_timestamp_seconds",
    "When that version was signed or, for lists of other servers, last confirmed",
    ({ loaded }) => inSeconds(loaded?.entry.manifest.issued),
  );
  ofEach("urlhash_list_expiration_timestamp_seconds", "When that version expires", ({ loaded }) =>
    inSeconds(loaded?.entry.manifest.expires),
  );
  ofEach(
    "urlhash_list_prefixes",
    "Hash prefixes on the list",
    ({ loaded }) => loaded?.entry.manifest.contents.prefixes,
  );
  ofEach("urlhash_list_ready", "1 when the newest version in the store is served", ({ problem }) =>
    problem === null ? 1 : 0,
  );
  ofEach("urlhash_list_required", "1 when /readyz depends on the list", ({ name }) =>
    isOptional(name) ? 0 : 1,
  );
}

function registerUpstreams(register: Registry, upstreams: MetricsOptions["upstreams"]): void {
  counterOf(
    {
      register,
      name: "urlhash_upstream_requests_total",
      help: "Requests to other servers whose lists are kept",
      labelNames: ["upstream", "kind"],
    },
    function* () {
      for (const { name: upstream, requests } of upstreams()) {
        const { updates, searches } = requests();
        yield [{ upstream, kind: "update" }, updates];
        yield [{ upstream, kind: "search" }, searches];
      }
    },
  );
  counterOf(
    {
      register,
      name: "urlhash_upstream_prefixes_total",
      help: "Hash prefixes in the searches sent to other servers",
      labelNames: ["upstream"],
    },
    () => upstreams().map(({ name, requests }) => [{ upstream: name }, requests().prefixes]),
  );
}

/** Creates metrics without the names of private lists, because anyone may be able to read the metrics. */
export function createMetrics(options: MetricsOptions): Metrics {
  const { upstreams, isPrivate, certificateExpires, more } = options;
  const register = new Registry();
  const registers = [register];
  const publicName = (list: string) => (isPrivate(list) ? "(private)" : list);
  if (certificateExpires() !== null) {
    gaugeOf(
      {
        register,
        name: "urlhash_certificate_expiration_timestamp_seconds",
        help: "When the certificate of the server expires",
      },
      () => [[{}, certificateExpires()! / 1000]],
    );
  }
  const onReload = reloadGauges(register);
  registerLists(register, options);
  registerUpstreams(register, upstreams);
  const updates = new Counter({
    name: "urlhash_updates_total",
    help: "Updates of lists that were answered: none (nothing new), partial or full",
    labelNames: ["list", "kind"],
    registers,
  });
  const fullUpdates = new Counter({
    name: "urlhash_full_updates_total",
    help: "Full updates by reason; behind-window are clients that are too old for a difference",
    labelNames: ["list", "reason"],
    registers,
  });
  const searches = new Counter({
    name: "urlhash_searches_total",
    help: "Searches for full hashes or URLs that were answered",
    labelNames: ["result"],
    registers,
  });
  const requests = new Counter({
    name: "urlhash_http_requests_total",
    help: "Requests by method of the API or page, and status",
    labelNames: ["route", "status"],
    registers,
  });
  const seconds = new Histogram({
    name: "urlhash_http_request_duration_seconds",
    help: "Time from the request to its answer",
    labelNames: ["route"],
    buckets: BUCKETS,
    registers,
  });
  const urls = { listed: 0, "not-listed": 0, "not-a-url": 0, "list-unavailable": 0 };
  counterOf(
    {
      register,
      name: "urlhash_looked_up_urls_total",
      help: "URLs looked up with /lookup, by verdict",
      labelNames: ["verdict"],
    },
    () => Object.entries(urls).map(([verdict, number]) => [{ verdict }, number]),
  );
  more(register);

  return {
    text: () => register.metrics(),
    numbers: () => register.getMetricsAsJSON(),
    onAnswered(facts) {
      for (const { list, kind, reason } of facts.updates) {
        updates.inc({ list: publicName(list), kind });
        if (reason !== null) fullUpdates.inc({ list: publicName(list), reason });
      }
      if (facts.search !== null) {
        searches.inc({ result: facts.search.found > 0 ? "found" : "nothing" });
      }
    },
    onLookUp({ asked, found, refused, unanswered }) {
      urls.listed += found;
      urls["not-listed"] += asked - found - refused - unanswered;
      urls["not-a-url"] += refused;
      urls["list-unavailable"] += unanswered;
    },
    onReload,
    onReply({ route, status }, taken) {
      requests.inc({ route, status });
      seconds.observe({ route }, taken);
    },
  };
}
