import type { ReplyHead } from "../http/reply.ts";
import type { ServedList, ServedLists } from "../lists/served-lists.ts";
import type { LookUpCounts } from "../look-up/look-up-counts.ts";
import type { CallFacts } from "../protocols/call.ts";
import {
  counter,
  gauge,
  latencyHistogram,
  listGauge,
  type Metric,
  numbersOf,
} from "./prometheus.ts";
import type { Readiness } from "./readiness.ts";

/** The server's metrics, in Prometheus's text format. No label contains anything that a client chose. */
export interface Metrics {
  text(): Promise<string>;
  onAnswered(facts: CallFacts): void;
  onLookUp(counts: LookUpCounts): void;
  /** Call this when settings or a certificate were read again, or could not be read. */
  onReload(isSuccessful: boolean): void;
  onReply(reply: Pick<ReplyHead, "route" | "status">, seconds: number): void;
}

const secondsOf = (milliseconds: number | undefined): number | undefined =>
  milliseconds === undefined ? undefined : milliseconds / 1000;

/** The numbers of requests that were sent to another server. */
export interface Upstream {
  readonly name: string;
  requests(): {
    readonly updates: number;
    readonly searches: number;
    readonly prefixes: number;
  };
}

export interface MetricsOptions extends Readiness {
  readonly lists: ServedLists;
  readonly upstreams: () => readonly Upstream[];
  /** When the certificate expires, in milliseconds since 1970; `null` without HTTPS. */
  readonly certificateExpires: () => number | null;
  /** The text of metrics that are measured elsewhere, such as those of the process. */
  readonly more: () => Promise<string>;
}

/** Metrics of the public lists. */
function listGauges({
  lists,
  isPrivate,
  isOptional,
}: Pick<MetricsOptions, "lists" | "isPrivate" | "isOptional">): readonly Metric[] {
  const ofEach = (name: string, help: string, numberOf: (list: ServedList) => number | undefined) =>
    listGauge(name, help, () => {
      const shown = lists.all().filter((list) => !isPrivate(list.name));
      return shown.flatMap((list) => {
        const number = numberOf(list);
        return number === undefined ? [] : [[list.name, number] as const];
      });
    });
  return [
    ofEach(
      "urlhash_list_version",
      "Version of the list that is served",
      ({ loaded }) => loaded?.entry.manifest.version,
    ),
    ofEach(
      "urlhash_list_issued_timestamp_seconds",
      "When that version was signed or, for lists of other servers, last confirmed",
      ({ loaded }) => secondsOf(loaded?.entry.manifest.issued),
    ),
    ofEach("urlhash_list_expiration_timestamp_seconds", "When that version expires", ({ loaded }) =>
      secondsOf(loaded?.entry.manifest.expires),
    ),
    ofEach(
      "urlhash_list_prefixes",
      "Hash prefixes on the list",
      ({ loaded }) => loaded?.entry.manifest.contents.prefixes,
    ),
    ofEach(
      "urlhash_list_ready",
      "1 when the newest version in the store is served",
      ({ problem }) => (problem === null ? 1 : 0),
    ),
    ofEach("urlhash_list_required", "1 when /readyz depends on the list", ({ name }) =>
      isOptional(name) ? 0 : 1,
    ),
  ];
}

/** Counters of requests and of the updates and searches in their answers. */
function answerCounters() {
  return {
    updates: counter(
      "urlhash_updates_total",
      "Updates of lists that were answered: none (nothing new), partial or full",
      ["list", "kind"],
    ),
    fullUpdates: counter(
      "urlhash_full_updates_total",
      "Full updates by reason; behind-window are clients that are too old for a difference",
      ["list", "reason"],
    ),
    searches: counter(
      "urlhash_searches_total",
      "Searches for full hashes or URLs that were answered",
      ["result"],
    ),
    requests: counter(
      "urlhash_http_requests_total",
      "Requests by method of the API or page, and status",
      ["route", "status"],
    ),
    seconds: latencyHistogram(
      "urlhash_http_request_duration_seconds",
      "Time from the request to its answer",
    ),
  };
}

/** How many URLs were looked up, by verdict. */
interface VerdictCounts {
  listed: number;
  "not-listed": number;
  "not-a-url": number;
  "list-unavailable": number;
}

function verdictCounter(counts: VerdictCounts): Metric {
  return numbersOf(
    {
      kind: "counter",
      name: "urlhash_looked_up_urls_total",
      help: "URLs looked up with /lookup, by verdict",
      labels: ["verdict"],
    },
    () => Object.entries(counts).map(([verdict, number]) => ({ labels: [verdict], number })),
  );
}

function upstreamCounters(upstreams: MetricsOptions["upstreams"]): readonly Metric[] {
  return [
    numbersOf(
      {
        kind: "counter",
        name: "urlhash_upstream_requests_total",
        help: "Requests to other servers whose lists are kept",
        labels: ["upstream", "kind"],
      },
      () =>
        upstreams().flatMap(({ name, requests }) => {
          const { updates, searches } = requests();
          return [
            { labels: [name, "update"], number: updates },
            { labels: [name, "search"], number: searches },
          ];
        }),
    ),
    numbersOf(
      {
        kind: "counter",
        name: "urlhash_upstream_prefixes_total",
        help: "Hash prefixes in the searches sent to other servers",
        labels: ["upstream"],
      },
      () =>
        upstreams().map(({ name, requests }) => ({ labels: [name], number: requests().prefixes })),
    ),
  ];
}

/** The result of the last attempt to read settings and files. */
interface Reload {
  isSuccessful: boolean;
  /** When settings and files were last read successfully, in milliseconds since 1970. */
  time: number;
}

function reloadGauges(reloaded: Readonly<Reload>): readonly Metric[] {
  return [
    gauge(
      "urlhash_config_last_reload_successful",
      "1 when the settings and files could be read the last time",
      () => (reloaded.isSuccessful ? 1 : 0),
    ),
    gauge(
      "urlhash_config_last_reload_success_timestamp_seconds",
      "When the settings and files were last read successfully",
      () => reloaded.time / 1000,
    ),
  ];
}

/** Creates metrics without the names of private lists, because anyone may be able to read the metrics. */
export function createMetrics(options: MetricsOptions): Metrics {
  const { upstreams, isPrivate, certificateExpires, more } = options;
  const publicName = (list: string) => (isPrivate(list) ? "(private)" : list);
  const answers = answerCounters();
  const { updates, fullUpdates, searches, requests, seconds } = answers;
  const urls = { listed: 0, "not-listed": 0, "not-a-url": 0, "list-unavailable": 0 };
  const verdicts = verdictCounter(urls);
  const lists = listGauges(options);
  const upstream = upstreamCounters(upstreams);
  const reloaded: Reload = { isSuccessful: true, time: Date.now() };
  const reload = reloadGauges(reloaded);
  const certificate = gauge(
    "urlhash_certificate_expiration_timestamp_seconds",
    "When the certificate of the server expires",
    () => secondsOf(certificateExpires()!)!,
  );
  const all = (): readonly Metric[] => [
    ...(certificateExpires() === null ? [] : [certificate]),
    ...reload,
    ...lists,
    ...(upstreams().length === 0 ? [] : upstream),
    ...Object.values(answers),
    verdicts,
  ];

  return {
    async text() {
      const own = all().map((metric) => metric.text());
      return `${own.join("\n\n")}\n\n${await more()}`;
    },
    onAnswered(facts) {
      for (const { list, kind, reason } of facts.updates) {
        updates.add([publicName(list), kind]);
        if (reason !== null) fullUpdates.add([publicName(list), reason]);
      }
      if (facts.search !== null) searches.add([facts.search.found > 0 ? "found" : "nothing"]);
    },
    onLookUp({ asked, found, refused, unanswered }) {
      urls.listed += found;
      urls["not-listed"] += asked - found - refused - unanswered;
      urls["not-a-url"] += refused;
      urls["list-unavailable"] += unanswered;
    },
    onReload(isSuccessful) {
      reloaded.isSuccessful = isSuccessful;
      if (isSuccessful) reloaded.time = Date.now();
    },
    onReply({ route, status }, taken) {
      requests.add([route, status]);
      seconds.add(route, taken);
    },
  };
}
