import type { HttpOptions } from "./http/http-server.ts";
import { type AnyReply, errorReply, type Reply } from "./http/reply.ts";
import type { PlainRequest } from "./http/request.ts";
import type { MetricNumbers } from "./pages/join-metrics.ts";
import { PROMETHEUS_TYPE } from "./pages/prometheus.ts";
import { healthReply, STOPPING } from "./pages/status-page.ts";
import type { SearchThrough } from "./upstream/shared-searches.ts";

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
