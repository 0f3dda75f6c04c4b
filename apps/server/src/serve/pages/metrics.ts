import type { ReplyHead } from "../http/reply.ts";
import type { ServedList, ServedLists } from "../lists/served-lists.ts";
import type { LookUpCounts } from "../look-up/look-up-counts.ts";
import type { CallFacts } from "../protocols/call.ts";
import type { Readiness } from "./health.ts";
import { counter, latencyHistogram, listGauge, numbersOf } from "./prometheus.ts";

/** The counters of the server, in the text format of Prometheus. No label contains anything that a client chose. */
export interface Metrics {
  text(): string;
  onAnswered(facts: CallFacts): void;
  onLookUp(counts: LookUpCounts): void;
  onReply(reply: Pick<ReplyHead, "route" | "status">, seconds: number): void;
}

/** The numbers of requests that were sent to another server. */
export interface Upstream {
  readonly name: string;
  requests(): {
    readonly updates: number;
    readonly searches: number;
    readonly prefixes: number;
  };
}

/** Private lists are not named, because anyone can read the metrics. */
export function createMetrics(
  lists: ServedLists,
  upstreams: readonly Upstream[],
  { isPrivate, isOptional }: Readiness,
  now: () => number = Date.now,
): Metrics {
  const publicName = (list: string) => (isPrivate(list) ? "(private)" : list);
  const gauge = (name: string, help: string, numberOf: (list: ServedList) => number | undefined) =>
    listGauge(name, help, () => {
      const shown = lists.all().filter((list) => !isPrivate(list.name));
      return shown.map((list) => [list.name, numberOf(list) ?? 0]);
    });
  const gauges = [
    gauge(
      "urlhash_list_version",
      "Version of the list that is served",
      ({ loaded }) => loaded?.entry.manifest.version,
    ),
    gauge(
      "urlhash_list_age_seconds",
      "Time since that version was signed or, for lists of other servers, last confirmed",
      ({ loaded }) => (loaded === null ? 0 : (now() - loaded.entry.manifest.issued) / 1000),
    ),
    gauge("urlhash_list_expires_in_seconds", "Time until that version expires", ({ loaded }) =>
      loaded === null ? 0 : (loaded.entry.manifest.expires - now()) / 1000,
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
    "urlhash_http_request_seconds",
    "Time from the request to its answer",
  );
  const upstreamRequests = numbersOf(
    "counter",
    "urlhash_upstream_requests_total",
    "Requests to other servers whose lists are kept",
    ["upstream", "kind"],
    () =>
      upstreams.flatMap(({ name, requests }) => {
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
    () => upstreams.map(({ name, requests }) => ({ labels: [name], number: requests().prefixes })),
  );
  const ofUpstreams = upstreams.length === 0 ? [] : [upstreamRequests, upstreamPrefixes];
  const all = [...gauges, ...ofUpstreams, updates, fullUpdates, searches, urls, requests, seconds];

  return {
    text: () => `${all.map((metric) => metric.text()).join("\n\n")}\n`,
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
    onReply({ route, status }, taken) {
      requests.add([route, status]);
      seconds.add(route, taken);
    },
  };
}
