import type { ReplyHead } from "../http/reply.ts";
import type { ServedList, ServedLists } from "../lists/served-lists.ts";
import type { LookUpCounts } from "../look-up/look-up-counts.ts";
import type { CallFacts } from "../protocols/call.ts";
import type { Readiness } from "./health.ts";
import { counter, latencyHistogram, listGauge, type Metric, numbersOf } from "./prometheus.ts";

/** The counters of the server, in the text format of Prometheus. No label contains anything that a client chose. */
export interface Metrics {
  text(): Promise<string>;
  onAnswered(facts: CallFacts): void;
  onLookUp(counts: LookUpCounts): void;
  /** Call this when settings or a certificate were read again, or could not be. */
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
  /** Metrics that are measured elsewhere, such as those of the process. */
  readonly more: () => Promise<string>;
}

/** Private lists are not named, because anyone can read the metrics. */
export function createMetrics({
  lists,
  upstreams,
  isPrivate,
  isOptional,
  certificateExpires,
  more,
}: MetricsOptions): Metrics {
  const publicName = (list: string) => (isPrivate(list) ? "(private)" : list);
  const gauge = (name: string, help: string, numberOf: (list: ServedList) => number | undefined) =>
    listGauge(name, help, () => {
      const shown = lists.all().filter((list) => !isPrivate(list.name));
      return shown.flatMap((list) => {
        const number = numberOf(list);
        return number === undefined ? [] : [[list.name, number] as const];
      });
    });
  const gauges = [
    gauge(
      "urlhash_list_version",
      "Version of the list that is served",
      ({ loaded }) => loaded?.entry.manifest.version,
    ),
    gauge(
      "urlhash_list_issued_timestamp_seconds",
      "When that version was signed or, for lists of other servers, last confirmed",
      ({ loaded }) => secondsOf(loaded?.entry.manifest.issued),
    ),
    gauge("urlhash_list_expiration_timestamp_seconds", "When that version expires", ({ loaded }) =>
      secondsOf(loaded?.entry.manifest.expires),
    ),
    gauge(
      "urlhash_list_prefixes",
      "Hash prefixes on the list",
      ({ loaded }) => loaded?.entry.manifest.contents.prefixes,
    ),
    gauge(
      "urlhash_list_ready",
      "1 when the newest version in the store is served",
      ({ problem }) => (problem === null ? 1 : 0),
    ),
    gauge("urlhash_list_required", "1 when /readyz depends on the list", ({ name }) =>
      isOptional(name) ? 0 : 1,
    ),
  ];
  const updates = counter(
    "urlhash_updates_total",
    "Updates of lists that were answered: none (nothing new), partial or full",
    ["list", "kind"],
  );
  const fullUpdates = counter(
    "urlhash_full_updates_total",
    "Full updates by reason; behind-window are clients that are too old for a difference",
    ["list", "reason"],
  );
  const searches = counter(
    "urlhash_searches_total",
    "Searches for full hashes or URLs that were answered",
    ["result"],
  );
  const urls = counter("urlhash_looked_up_urls_total", "URLs looked up with /lookup, by verdict", [
    "verdict",
  ]);
  const requests = counter(
    "urlhash_http_requests_total",
    "Requests by method of the API or page, and status",
    ["route", "status"],
  );
  const seconds = latencyHistogram(
    "urlhash_http_request_duration_seconds",
    "Time from the request to its answer",
  );
  const upstreamRequests = numbersOf(
    "counter",
    "urlhash_upstream_requests_total",
    "Requests to other servers whose lists are kept",
    ["upstream", "kind"],
    () =>
      upstreams().flatMap(({ name, requests }) => {
        const { updates, searches } = requests();
        return [
          { labels: [name, "update"], number: updates },
          { labels: [name, "search"], number: searches },
        ];
      }),
  );
  const upstreamPrefixes = numbersOf(
    "counter",
    "urlhash_upstream_prefixes_total",
    "Hash prefixes in the searches sent to other servers",
    ["upstream"],
    () =>
      upstreams().map(({ name, requests }) => ({ labels: [name], number: requests().prefixes })),
  );
  let reloaded = { isSuccessful: true, time: Date.now() };
  const reload = numbersOf(
    "gauge",
    "urlhash_config_last_reload_successful",
    "1 when the settings and files could be read the last time",
    [],
    () => [{ labels: [], number: reloaded.isSuccessful ? 1 : 0 }],
  );
  const reloadTime = numbersOf(
    "gauge",
    "urlhash_config_last_reload_success_timestamp_seconds",
    "When the settings and files were last read successfully",
    [],
    () => [{ labels: [], number: reloaded.time / 1000 }],
  );
  const certificate = numbersOf(
    "gauge",
    "urlhash_certificate_expiration_timestamp_seconds",
    "When the certificate of the server expires",
    [],
    () => [{ labels: [], number: secondsOf(certificateExpires()!)! }],
  );
  const all = (): readonly Metric[] => [
    ...(certificateExpires() === null ? [] : [certificate]),
    ...[reload, reloadTime],
    ...gauges,
    ...(upstreams().length === 0 ? [] : [upstreamRequests, upstreamPrefixes]),
    ...[updates, fullUpdates, searches, urls, requests, seconds],
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
      urls.add(["listed"], found);
      urls.add(["not-listed"], asked - found - refused - unanswered);
      urls.add(["not-a-url"], refused);
      urls.add(["list-unavailable"], unanswered);
    },
    onReload(isSuccessful) {
      reloaded = { isSuccessful, time: isSuccessful ? Date.now() : reloaded.time };
    },
    onReply({ route, status }, taken) {
      requests.add([route, status]);
      seconds.add(route, taken);
    },
  };
}
