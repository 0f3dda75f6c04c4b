import type { About } from "@x/list-store";
import { shares } from "../serve/fairness.ts";
import {
  anyAnswer,
  type BlockedAnswer,
  blockedAnswer,
  type ExtendedError,
  failedAnswer,
  NO_REACHABLE_AUTHORITY,
  NOT_READY,
  refusedAnswer,
  truncatedAnswer,
} from "./answers.ts";
import type { Transport } from "./channels.ts";
import type { Clients } from "./clients.ts";
import type { Decision } from "./lists.ts";
import { FORWARD, type Policy } from "./lists.ts";
import { isTruncated, type Query, readQuery, TYPE, targetHosts } from "./message.ts";
import type { DnsMetrics, Outcome } from "./metrics.ts";
import type { Resolvers } from "./resolvers.ts";

/** What a forwarder does, which can change while it runs. */
export interface ForwarderOptions {
  readonly policy: Policy;
  readonly resolvers: Resolvers;
  readonly clients: Clients;
  readonly blocked: BlockedAnswer;
  /** How long clients may keep an answer about a blocked name, in seconds. */
  readonly ttl: number;
  /**
   * The code and the text of the Extended DNS Error for a name that a list blocks, of which its publisher says more.
   */
  readonly reasonFor: (list: string, about: About | undefined) => ExtendedError;
  /** What happens to names of which the lists cannot say whether they are listed. */
  readonly withoutLists: "forward" | "refuse";
  /** Called with each blocked name, if names may be logged. */
  readonly onName: ((facts: { readonly name: string; readonly list: string }) => void) | null;
}

/** Answers queries. */
export interface Forwarder {
  /** Answers a query. Calls `reply` once, with `null` for a query that gets no answer. */
  handle(message: Buffer, from: string, transport: Transport, reply: Reply): void;
}

export type Reply = (answer: Buffer | null) => void;

/** The queries that may wait for an answer at the same time: those of other machines, and those of this one. */
const WAITING = { total: 10_000, perClient: 1000 } as const;
const LOCAL_WAITING = { total: 10_000, perClient: 10_000 } as const;

/** A query that is being answered. */
interface Open {
  readonly message: Buffer;
  readonly query: Query;
  readonly transport: Transport;
  /** Ends with an answer, or without one if it is `null`. */
  readonly settle: (answer: Buffer | null, outcome: Outcome) => void;
}

/** @param options the options that apply now. */
export function createForwarder(
  options: () => ForwarderOptions,
  metrics: () => Pick<DnsMetrics, "onOutcome" | "onBlocked" | "onUnsure">,
): Forwarder {
  const waiting = shares(WAITING);
  const localWaiting = shares(LOCAL_WAITING);

  /** Ends with the answer, or the error, that follows from the decision about a name. Returns whether it has. */
  function isSettledBy(decision: Decision, { message, query, settle }: Open): boolean {
    const { blocked, ttl, reasonFor, onName, withoutLists } = options();
    if (decision.kind === "block") {
      const { list, about } = decision;
      metrics().onBlocked(list);
      onName?.({ name: query.host ?? "", list });
      settle(blockedAnswer(message, query, blocked, ttl, reasonFor(list, about)), "blocked");
      return true;
    }
    if (decision.kind === "forward") return false;
    metrics().onUnsure();
    if (withoutLists === "forward") return false;
    settle(failedAnswer(message, query, NO_LISTS), "failed");
    return true;
  }

  /** Blocks a query, or asks a resolver. */
  function follow(open: Open, decision: Decision): void {
    if (isSettledBy(decision, open)) return;
    const isAllowed = decision.kind === "forward" && decision.isAllowed === true;
    const { message, query, transport, settle } = open;
    options().resolvers.ask({ message, ...query }, transport, (answer) => {
      if (answer === null) settle(failedAnswer(message, query, NO_RESOLVER), "failed");
      else if (isAllowed) pass(open, answer);
      else passUnlessBlocked(open, answer);
    });
  }

  /** Passes on the answer of a resolver, unless it leads to a host that is blocked. */
  function passUnlessBlocked(open: Open, answer: Buffer): void {
    const { message, query, settle } = open;
    const hosts = targetHosts(answer, query.questionEnd);
    if (hosts === null) {
      // The client of a truncated answer asks again.
      if (isTruncated(answer)) settle(truncatedAnswer(message, query), "answered");
      else settle(failedAnswer(message, query, DAMAGED), "failed");
      return;
    }
    if (hosts.length === 0) {
      pass(open, answer);
      return;
    }
    const { policy } = options();
    const decide = (decisions: readonly Decision[]) => {
      const deciding =
        decisions.find(({ kind }) => kind === "block") ??
        decisions.find(({ kind }) => kind === "unsure") ??
        FORWARD;
      if (!isSettledBy(deciding, open)) pass(open, answer);
    };
    const decisions = hosts.map((host) => policy.decide(host));
    if (!decisions.some(isPromise)) decide(decisions as Decision[]);
    else Promise.all(decisions).then(decide, () => decide([UNKNOWN]));
  }

  return {
    handle(message, from, transport, reply) {
      const answer = (bytes: Buffer | null, outcome: Outcome) => {
        metrics().onOutcome(outcome);
        reply(bytes);
      };
      const query = readQuery(message);
      if (query === null) {
        answer(null, "dropped");
        return;
      }
      const { policy, clients } = options();
      const { kind, network, isLocal } = clients.admit(from, transport);
      const isForUdp = transport === "udp" && query.kind === "query";
      if (kind === "too-fast" && isForUdp && Math.random() < 0.5) {
        // A client whose address somebody forges can still ask over TCP.
        answer(truncatedAnswer(message, query), "refused");
      } else if (kind !== "welcome") answer(null, "dropped");
      else if (query.kind === "refused") answer(refusedAnswer(message, query), "refused");
      else if (query.type === TYPE.ANY) answer(anyAnswer(message, query), "refused");
      else {
        const places = isLocal ? localWaiting : waiting;
        if (!places.take(network)) {
          answer(failedAnswer(message, query, TOO_MANY), "failed");
          return;
        }
        const settle: Open["settle"] = (bytes, outcome) => {
          places.giveBack(network);
          answer(bytes, outcome);
        };
        const open = { message, query, transport, settle };
        const decision = policy.decide(query.host);
        if (!isPromise(decision)) follow(open, decision);
        else
          decision.then(
            (decided) => follow(open, decided),
            () => follow(open, UNKNOWN),
          );
      }
    },
  };
}

const isPromise = <Value>(value: Value | Promise<Value>): value is Promise<Value> =>
  value instanceof Promise;

/** Passes on the answer of a resolver. */
function pass({ message, query, transport, settle }: Open, answer: Buffer): void {
  if (transport === "udp" && answer.length > query.udpBytes) {
    settle(truncatedAnswer(message, query), "answered");
    return;
  }
  const own = Buffer.from(answer);
  message.copy(own, 0, 0, 2);
  settle(own, "answered");
}

/** The decision when a server could not be asked for a reason that nobody foresaw. */
const UNKNOWN: Decision = { kind: "unsure", reason: "a server could not be asked" };

const NO_LISTS = { code: NOT_READY, text: "the lists are not available" };
const TOO_MANY = { code: NOT_READY, text: "too many queries are waiting" };
const NO_RESOLVER = { code: NO_REACHABLE_AUTHORITY, text: "no resolver answers" };
const DAMAGED = { code: NO_REACHABLE_AUTHORITY, text: "the answer of the resolver is damaged" };
