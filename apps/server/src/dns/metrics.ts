import { Counter, Registry } from "prom-client";
import {
  counterOf,
  gaugeOf,
  histogramOf,
  listGaugeOf,
  reloadGauges,
} from "../serve/pages/prometheus.ts";
import type { DnsListState } from "./followed-lists.ts";

/** What became of a query. */
export type Outcome =
  /** The answer of a resolver. */
  | "answered"
  | "blocked"
  /** Answered without a resolver, such as a question for records of all types. */
  | "refused"
  /** No resolver has answered, or too many queries were waiting. */
  | "failed"
  /** Not answered, because the client asks too often, or may not ask. */
  | "dropped";

const OUTCOMES: readonly Outcome[] = ["answered", "blocked", "refused", "failed", "dropped"];

/**
 * The metrics of the forwarder, in Prometheus's text format. No label contains a name that a client has asked about.
 */
export interface DnsMetrics {
  text(): Promise<string>;
  onOutcome(outcome: Outcome): void;
  onBlocked(list: string): void;
  /** A name was forwarded, or refused, although the lists could not say whether it is listed. */
  onUnsure(): void;
  onAnswer(resolver: string, seconds: number): void;
  onMismatch(): void;
  onReload(isSuccessful: boolean): void;
}

interface MetricsOptions {
  readonly states: () => readonly DnsListState[];
  readonly waiting: () => number;
  /** Registers metrics that are measured elsewhere, such as those of the process. */
  readonly more: (register: Registry) => void;
}

/** The upper bounds of the buckets for the times of resolvers, in seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function createDnsMetrics({ states, waiting, more }: MetricsOptions): DnsMetrics {
  const register = new Registry();
  const registers = [register];
  const outcomes: Record<Outcome, number> = {
    ...{ answered: 0, blocked: 0, refused: 0, failed: 0, dropped: 0 },
  };
  const help = "Queries by what became of them";
  counterOf({ register, name: "urlhash_dns_queries_total", help, labelNames: ["outcome"] }, () =>
    OUTCOMES.map((outcome) => [{ outcome }, outcomes[outcome]]),
  );
  const blocked = new Map<string, number>();
  counterOf(
    {
      ...{ register, name: "urlhash_dns_blocked_total", labelNames: ["list"] },
      help: "Blocked queries by list; block is the operator's own",
    },
    () => [...blocked].map(([list, number]) => [{ list }, number]),
  );
  const unsure = new Counter({
    ...{ name: "urlhash_dns_unsure_total", registers },
    help: "Queries about names of which the lists could not say whether they are listed",
  });
  const mismatches = new Counter({
    ...{ name: "urlhash_dns_mismatched_answers_total", registers },
    help: "Messages from resolvers that answer no waiting query, or come too late",
  });
  const observe = histogramOf(
    {
      ...{ register, name: "urlhash_dns_resolver_duration_seconds", labelNames: ["resolver"] },
      help: "Time from a forwarded query to its answer",
    },
    BUCKETS,
  );
  const waitingHelp = "Different queries that wait for a resolver";
  gaugeOf({ register, name: "urlhash_dns_waiting_queries", help: waitingHelp }, () => [
    [{}, waiting()],
  ]);
  const listOf = () => states().map((state) => [state.name, state] as const);
  listGaugeOf(
    { register, name: "urlhash_list_prefixes", help: "Hash prefixes on the list" },
    listOf,
    ({ entries }) => entries,
  );
  listGaugeOf(
    {
      ...{ register, name: "urlhash_list_checked_timestamp_seconds" },
      help: "When the list was last known to be the newest version",
    },
    listOf,
    ({ checkedAt }) => checkedAt && checkedAt / 1000,
  );
  listGaugeOf(
    { register, name: "urlhash_list_ready", help: "1 when the list can be relied on" },
    listOf,
    ({ problem }) => (problem === null ? 1 : 0),
  );
  const onReload = reloadGauges(register);
  more(register);
  return {
    text: () => register.metrics(),
    onOutcome(outcome) {
      outcomes[outcome]++;
    },
    onBlocked(list) {
      blocked.set(list, (blocked.get(list) ?? 0) + 1);
    },
    onUnsure: () => unsure.inc(),
    onAnswer: observe,
    onMismatch: () => mismatches.inc(),
    onReload,
  };
}
