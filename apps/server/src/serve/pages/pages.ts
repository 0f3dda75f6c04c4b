import type { ApiKeys } from "../api-keys.ts";
import type { Reply } from "../http/reply.ts";
import type { ServedLists } from "../lists/served-lists.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Operation } from "../open-api/operation.ts";
import { healthReply, readyReply } from "./health.ts";
import type { Metrics } from "./metrics.ts";
import { statusPage } from "./status-page.ts";

/** What pages show. */
export interface PageContext {
  readonly lists: ServedLists;
  readonly metrics: Metrics;
  readonly keys: ApiKeys;
  readonly origin: () => string;
  /** The OpenAPI document. */
  readonly openApi: () => Uint8Array;
}

interface Page extends Pick<Operation, "id" | "summary" | "answers"> {
  readonly answer: (context: PageContext) => MaybePromise<Reply>;
}

/** The pages of the server by path. What follows a question mark is ignored. */
export const PAGES: ReadonlyMap<string, Page> = new Map(
  Object.entries<Page>({
    "/": {
      id: "status",
      summary: "A page for people: lists, versions, what changed, settings for Firefox",
      answers: { 200: ["The page", { "text/html": null }] },
      answer({ lists, keys, origin }) {
        const publicLists = lists.all().filter(({ name }) => !keys.isPrivate(name));
        return statusPage(publicLists, origin(), Date.now());
      },
    },
    "/healthz": {
      id: "healthz",
      summary: "Whether the process answers",
      answers: { 200: ["It does", { "text/plain": null }] },
      answer: healthReply,
    },
    "/readyz": {
      id: "readyz",
      summary: "Whether the newest version of every list is verified, not expired, and served",
      answers: {
        200: ["It is", { "text/plain": null }],
        503: ["It is not, and why", { "text/plain": null }],
      },
      answer: ({ lists, keys }) => readyReply(lists, keys.isPrivate),
    },
    "/metrics": {
      id: "metrics",
      summary: "What the server counts, for Prometheus",
      answers: { 200: ["The numbers", { "text/plain": null }] },
      answer: ({ metrics }) => metricsReply(metrics),
    },
    "/openapi.json": {
      id: "openapi",
      summary: "This document",
      answers: { 200: ["The document", { "application/json": { type: "object" } }] },
      answer: ({ openApi }) => ({
        route: "openapi",
        status: 200,
        headers: {
          "Content-Type": "application/json; charset=utf-8",
          "Cache-Control": "no-store",
          "X-Content-Type-Options": "nosniff",
        },
        body: openApi(),
      }),
    },
  }),
);

async function metricsReply({ contentType, text }: Metrics): Promise<Reply> {
  return {
    route: "metrics",
    status: 200,
    headers: { "Content-Type": contentType, "Cache-Control": "no-store" },
    body: Buffer.from(await text()),
  };
}

/** The pages, as OpenAPI describes them. */
export function pageOperations(): Operation[] {
  return [...PAGES].map(([path, { id, summary, answers }]) => ({
    id,
    path,
    method: "get",
    summary,
    takesKey: false,
    answers,
  }));
}
