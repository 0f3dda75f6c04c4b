import { Gauge, Registry } from "prom-client";
import type { CachedAnswer } from "../answer-cache.ts";
import type { ReplyHead } from "../http/reply.ts";
import type { ServedLists } from "../lists/served-lists.ts";
import type { LookUpCounts } from "../look-up/look-up-counts.ts";
import { latencyHistogram } from "./latency-histogram.ts";
import { plainCounter } from "./plain-counter.ts";

/** The counters of the server, in the text format of Prometheus. No label contains anything that a client chose. */
export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
  onAnswered(answer: CachedAnswer): void;
  onLookUp(counts: LookUpCounts): void;
  onReply(reply: ReplyHead, seconds: number): void;
}

/** Private lists are not named, because anyone can read the metrics. */
export function createMetrics(
  lists: ServedLists,
  isPrivate: (list: string) => boolean,
  now: () => number = Date.now,
): Metrics {
  const publicName = (list: string) => (isPrivate(list) ? "(private)" : list);
  const collected = new Registry();
  const registers = [collected];
  const gauge = (name: string, help: string, value: (list: ListFacts) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["list"],
      registers,
      collect() {
        this.reset();
        for (const facts of factsOf(lists, now())) {
          if (!isPrivate(facts.list)) this.set({ list: facts.list }, value(facts));
        }
      },
    });
  gauge("urlhash_list_version", "Version of the list that is served", ({ version }) => version);
  gauge("urlhash_list_age_seconds", "Time since that version was signed", ({ age }) => age);
  gauge("urlhash_list_prefixes", "Hash prefixes on the list", ({ prefixes }) => prefixes);
  gauge(
    "urlhash_list_ready",
    "1 when the newest version in the store is served",
    ({ ready }) => ready,
  );

  const updates = plainCounter({
    name: "urlhash_updates_total",
    help: "Updates of lists that were answered: none (nothing new), partial or full",
    labelNames: ["list", "kind"],
    registers,
  });
  const fullUpdates = plainCounter({
    name: "urlhash_full_updates_total",
    help: "Full updates by reason; behind-window are clients that are too old for a difference",
    labelNames: ["list", "reason"],
    registers,
  });
  const searches = plainCounter({
    name: "urlhash_searches_total",
    help: "Searches for full hashes or URLs that were answered",
    labelNames: ["result"],
    registers,
  });
  const urls = plainCounter({
    name: "urlhash_looked_up_urls_total",
    help: "URLs looked up with /lookup, by verdict",
    labelNames: ["verdict"],
    registers,
  });
  const requests = plainCounter({
    name: "urlhash_http_requests_total",
    help: "Requests by method of the API or page, and status",
    labelNames: ["route", "status"],
    registers,
  });
  const seconds = latencyHistogram(
    "urlhash_http_request_seconds",
    "Time from the request to its answer",
  );

  return {
    contentType: collected.contentType,
    text: async () => `${await collected.metrics()}\n${seconds.text()}`,
    onAnswered(answer) {
      for (const { list, kind, reason } of answer.updates) {
        updates.add([publicName(list), kind]);
        if (reason !== null) fullUpdates.add([publicName(list), reason]);
      }
      if (answer.search !== null) {
        searches.add([answer.search.found > 0 ? "found" : "nothing"]);
      }
    },
    onLookUp({ asked, found, refused }) {
      urls.add(["listed"], found);
      urls.add(["not-listed"], asked - found - refused);
      urls.add(["not-a-url"], refused);
    },
    onReply({ route, status }, taken) {
      requests.add([route, status]);
      seconds.add(route, taken);
    },
  };
}

interface ListFacts {
  readonly list: string;
  readonly version: number;
  readonly age: number;
  readonly prefixes: number;
  readonly ready: number;
}

function factsOf(lists: ServedLists, now: number): ListFacts[] {
  return lists.all().map(({ name, loaded, problem }) => {
    const manifest = loaded?.entry.manifest;
    return {
      list: name,
      version: manifest?.version ?? 0,
      age: manifest === undefined ? 0 : (now - manifest.issued) / 1000,
      prefixes: manifest?.contents.prefixes ?? 0,
      ready: problem === null ? 1 : 0,
    };
  });
}
