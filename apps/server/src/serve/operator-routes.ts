import { formatDuration } from "@x/command-line";
import type { HttpOptions } from "./http/http-server.ts";
import { type AnyReply, errorReply, type Reply, textReply } from "./http/reply.ts";
import type { PlainRequest } from "./http/request.ts";
import { NO_LISTS, type ServedList, type ServedLists } from "./lists/served-lists.ts";
import type { MetricNumbers } from "./pages/prometheus.ts";
import { PROMETHEUS_TYPE } from "./pages/prometheus.ts";
import type { SearchThrough } from "./upstream/upstream-searches.ts";

/** One kind of request, with the function that answers it. */
export interface Route {
  readonly method: "GET" | "POST";
  /** The path, with the name of a parameter in braces. */
  readonly path: string;
  readonly answer: (request: PlainRequest) => AnyReply | Promise<AnyReply>;
  /** Answers a request while its body arrives. Returns `null` if the body must be read first. */
  readonly answerStream?: NonNullable<HttpOptions["answerStream"]>;
}

/** Answers all requests to a server. */
export type AnswerRequests = Required<Pick<HttpOptions, "answer" | "answerStream">>;

/** What all processes have in common, if this one is one of several. */
export interface AllProcesses {
  readiness(): Promise<Reply>;
  metrics(): Promise<string>;
  /** Asks the process that keeps the lists of other servers; `undefined` in that process. */
  readonly searchUpstream: SearchThrough | undefined;
  /** Tells the others about this process whenever they ask. */
  show(own: {
    readonly readiness: () => Reply;
    readonly metrics: () => Promise<readonly MetricNumbers[]>;
    readonly searchUpstream: SearchThrough;
  }): void;
}

/** What operators can see. */
interface Operation {
  /** Only if this process is one of several. */
  readonly all?: AllProcesses | undefined;
  /** The answer of `/readyz` unless the server is stopping. */
  readonly readiness: () => Reply;
  readonly metrics: { text(): Promise<string> };
  readonly isStopping: () => boolean;
}

/** Creates the routes for operators and their monitoring. */
export function operatorRoutes({
  readiness,
  metrics,
  isStopping,
  all,
}: Operation): readonly Route[] {
  const ready = () => (all === undefined ? readiness() : all.readiness());
  const numbers = async () => {
    const headers = { "Content-Type": PROMETHEUS_TYPE, "Cache-Control": "no-store" };
    const text = await (all === undefined ? metrics.text() : all.metrics());
    return { route: "metrics", status: 200, headers, body: Buffer.from(text) };
  };
  return [
    { method: "GET", path: "/healthz", answer: healthReply },
    { method: "GET", path: "/readyz", answer: () => (isStopping() ? STOPPING : ready()) },
    { method: "GET", path: "/metrics", answer: numbers },
  ];
}

/** Sends each GET to its route, and refuses all other requests. */
export function dispatchAdmin(routes: readonly Route[]): HttpOptions["answer"] {
  const exact = new Map(routes.map((route) => [route.path, route]));
  return (request) => {
    const route = request.method === "GET" ? exact.get(request.path) : undefined;
    return route?.answer(request) ?? errorReply("admin", 404, "There is no such page.");
  };
}

/** The answer of `/healthz`, which shows only that the process is running. */
function healthReply(): Reply {
  return textReply("healthz", 200, "ok\n");
}

/** The answer of `/readyz` while the server only finishes its last answers. */
export const STOPPING: Reply = textReply("readyz", 503, "The server is stopping.\n");

/** How `/readyz` treats lists. */
export interface Readiness {
  readonly isPrivate: (list: string) => boolean;
  /** Whether the server is ready even if this list has a problem. */
  readonly isOptional: (list: string) => boolean;
}

/**
 * The answer of `/readyz`: whether the newest version of every list that is not optional is verified, not expired, and
 * served. The body has the problems of all lists, with the age of each version that is served in the meantime. Private
 * lists are not named.
 */
export function readyReply(
  lists: ServedLists,
  { isPrivate, isOptional }: Readiness = { isPrivate: () => false, isOptional: () => false },
  now: () => number = Date.now,
): Reply {
  function sentence({ name, loaded }: ServedList, problem: string): string {
    if (isPrivate(name)) return "A private list has a problem; see the log.";
    if (loaded === null) return `${problem}.`;
    const age = Math.max(0, now() - loaded.entry.manifest.issued);
    return `${problem}; the version that is served is ${formatDuration(age)} old.`;
  }
  const all = lists.all();
  if (all.length === 0) return textReply("readyz", 503, `${NO_LISTS}\n`);
  let isReady = true;
  const problems = all.flatMap((list) => {
    const { name, problem } = list;
    if (problem === null) return [];
    if (isOptional(name)) return [`${sentence(list, problem)} The list is optional.`];
    isReady = false;
    return [sentence(list, problem)];
  });
  const lines = isReady ? ["ready", ...problems] : problems;
  return textReply("readyz", isReady ? 200 : 503, `${lines.join("\n")}\n`);
}
