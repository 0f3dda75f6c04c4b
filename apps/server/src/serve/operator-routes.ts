import type { HttpOptions } from "./http/http-server.ts";
import { type AnyReply, errorReply, type Reply } from "./http/reply.ts";
import type { PlainRequest } from "./http/request.ts";
import { PROMETHEUS_TYPE } from "./pages/prometheus.ts";
import { healthReply, STOPPING } from "./pages/status-page.ts";

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

/** What operators can see. */
interface Operation {
  /** The answer of `/readyz` unless the server is stopping. */
  readonly readiness: () => Reply;
  readonly metrics: { text(): Promise<string> };
  readonly isStopping: () => boolean;
}

/** Creates the routes for operators and their monitoring. */
export function operatorRoutes({ readiness, metrics, isStopping }: Operation): readonly Route[] {
  const numbers = async () => {
    const headers = { "Content-Type": PROMETHEUS_TYPE, "Cache-Control": "no-store" };
    return { route: "metrics", status: 200, headers, body: Buffer.from(await metrics.text()) };
  };
  return [
    { method: "GET", path: "/healthz", answer: healthReply },
    { method: "GET", path: "/readyz", answer: () => (isStopping() ? STOPPING : readiness()) },
    { method: "GET", path: "/metrics", answer: numbers },
  ];
}

/** Sends each GET to its route, and refuses all other requests. */
export function dispatchAdmin(routes: readonly Route[]): HttpOptions["answer"] {
  const exact = new Map(routes.map((route) => [route.path, route]));
  return (request) => {
    const route = request.method === "GET" ? exact.get(request.path) : undefined;
    return route?.answer(request) ?? errorReply("admin", 404, "There is nothing here.");
  };
}
