import { readFileSync } from "node:fs";
import * as v4 from "@x/wire/v4";
import {
  batchGetHashLists,
  getHashList,
  listHashLists,
  searchHashes,
  searchUrls,
} from "@x/wire/v5";
import * as webRisk from "@x/wire/web-risk";
import type { Api } from "./api.ts";
import { type ServedMethod, served } from "./api.ts";
import { type GuardedLists, publicLists } from "./api-keys.ts";
import { type AnyReply, FOR_ALL_ORIGINS, textReply } from "./http/reply.ts";
import type { PlainRequest } from "./http/request.ts";
import type { Lookup } from "./lookup/lookup.ts";
import type { AnswerRequests, Route } from "./operator-routes.ts";
import { blockedPage } from "./pages/blocked-page.ts";
import { type Operator, statusPage } from "./pages/operator.ts";
import { fetchUpdates, findHashes, findMatches, listLists } from "./protocols/v4.ts";
import { batchGet, getOne, listAll, search, searchByUrl } from "./protocols/v5.ts";
import { computeDiff, searchByPrefix, searchByUri } from "./protocols/web-risk.ts";

/*
 * Everything that the server serves. Its OpenAPI document is the file openapi.json, which a test compares with these
 * routes.
 */

const DOCUMENT = new URL("../../openapi.json", import.meta.url);

/** The methods of all protocols. Their paths are in the tables of `@x/wire`. */
export const METHODS: readonly ServedMethod[] = [
  served(batchGetHashLists, batchGet),
  served(getHashList, getOne),
  served(listHashLists, listAll),
  served(searchHashes, search),
  served(searchUrls, searchByUrl),
  served(v4.fetchThreatListUpdates, fetchUpdates),
  served(v4.findFullHashes, findHashes),
  served(v4.findThreatMatches, findMatches),
  served(v4.listThreatLists, listLists),
  served(webRisk.computeThreatListDiff, computeDiff),
  served(webRisk.searchHashes, searchByPrefix),
  served(webRisk.searchUris, searchByUri),
];

/** The functions that answer requests, except for those of operators. */
interface Answerers extends GuardedLists {
  readonly api: Api;
  readonly lookUp: Lookup;
  readonly operator: Operator;
  /** The routes of the gateway for Oblivious HTTP, if there is one. */
  readonly ohttp: readonly Route[];
  /** The routes for operators; empty if these routes have their own address. */
  readonly admin: readonly Route[];
}

export function createRoutes({
  api,
  lookUp,
  operator,
  lists,
  keys,
  ohttp,
  admin,
}: Answerers): readonly Route[] {
  let document: Uint8Array | undefined;
  const page = (
    path: string,
    show: (request: PlainRequest) => AnyReply | Promise<AnyReply>,
  ): Route => ({
    method: "GET",
    path,
    // The API answers or refuses all other requests.
    answer: (request) => (request.method === "GET" ? show(request) : api.answer(request)),
  });
  return [
    page("/", () => statusPage(operator)),
    page("/blocked", () => blockedPage(operator, publicLists({ lists, keys }))),
    ...admin.map(({ path, answer }) => page(path, answer)),
    page("/openapi.json", () => {
      document ??= readFileSync(DOCUMENT);
      const headers = { "Content-Type": "application/json; charset=utf-8", ...FOR_ALL_ORIGINS };
      return { ...textReply("openapi", 200, "", headers), body: document };
    }),
    {
      method: "POST",
      path: "/lookup",
      answer: lookUp.batch,
      answerStream: lookUp.stream,
    },
    { method: "GET", path: "/lookup/status", answer: lookUp.status },
    ...ohttp,
    ...METHODS.map(({ method: { httpMethod, path, pathField } }) => ({
      method: httpMethod,
      path: pathField === undefined ? path : `${path}{${pathField}}`,
      answer: api.answer,
    })),
  ];
}

/**
 * Sends each request to its route. Requests without a route go to the API, which also recognizes escaped paths and
 * refuses all other requests.
 */
export function dispatch(routes: readonly Route[], api: Api): AnswerRequests {
  const exact = new Map(routes.map((route) => [route.path, route]));
  const folders = routes
    .filter(({ path }) => path.includes("{"))
    .map(({ path, answer }) => ({ folder: path.slice(0, path.indexOf("{")), answer }));
  return {
    answer(request) {
      const route =
        exact.get(request.path) ?? folders.find(({ folder }) => request.path.startsWith(folder));
      return (route ?? api).answer(request);
    },
    answerStream: (head, body) => exact.get(head.path)?.answerStream?.(head, body) ?? null,
  };
}
