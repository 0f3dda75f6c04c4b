import type { Storage } from "@x/list-store";
import { type Answering, createAnswering } from "../../src/serve/answering.ts";
import { type Api, type ApiRequest, createApi } from "../../src/serve/api.ts";
import { NO_API_KEYS } from "../../src/serve/api-keys.ts";
import { wholeBody } from "../../src/serve/http/large-answer.ts";
import type { LargeReply, Reply } from "../../src/serve/http/reply.ts";
import { type LocalHashes, localHashes } from "../../src/serve/lists/local-hashes.ts";
import { fullHashFinder } from "../../src/serve/lists/search-lists.ts";
import type { ServedLists } from "../../src/serve/lists/served-lists.ts";
import { storedLists } from "../../src/serve/lists/stored-lists.ts";
import type { CallFacts } from "../../src/serve/protocols/call.ts";
import { METHODS } from "../../src/serve/routes.ts";
import { codedUpdates, prepareUpdates } from "../../src/serve/updates/coded-updates.ts";
import { AT_ONCE } from "../../src/serve/worker-thread/run-job.ts";
import type { SeenVersions } from "../../src/storage/seen-versions.ts";
import { apiKeysFrom } from "./api-keys.ts";
import type { Send } from "./plain-client.ts";

export interface TestServer {
  readonly answering: Answering;
  readonly lists: ServedLists;
  /** The API. Large replies are joined into one body. */
  readonly api: Omit<Api, "answer"> & { answer(request: ApiRequest): Reply | Promise<Reply> };
  readonly answered: CallFacts[];
  get(target: string, headers?: Readonly<Record<string, string>>, client?: string): Promise<Reply>;
  /** Returns a function that sends requests as one client. Any status but 200 is an error. */
  sender(client: string): Send;
  refresh(): Promise<void>;
}

/** Joins a large reply into its headers and one body, as they are sent. */
function wholeReply(reply: Reply | LargeReply): Reply {
  if ("body" in reply) return reply;
  const { large, ...head } = reply;
  return { ...head, body: wholeBody(large) };
}

/** Keeps all full hashes in memory. */
export const hashesInMemory = (): LocalHashes => localHashes({ memory: Infinity, folder: "" });

/** Makes the server without its sockets. */
export function testServer(
  storage: Storage,
  publicKeys: readonly string[],
  {
    keys = "",
    window = 1000,
    longer = [] as readonly number[],
    only = undefined as ReadonlySet<string> | undefined,
    now = Date.now,
    seen = new Map() as SeenVersions,
    aside = AT_ONCE,
    patience = 60_000,
    /** Whether updates are made before a version is served, as in the real server. */
    prepares = false,
    hashes = hashesInMemory(),
  } = {},
): TestServer {
  const answered: CallFacts[] = [];
  const coded = codedUpdates(aside);
  const lists = storedLists({
    storage,
    publicKeys,
    hashes,
    window,
    longer,
    only,
    seen,
    onLoaded() {},
    prepare: prepares ? (...of) => prepareUpdates(coded, ...of) : undefined,
    now,
    aside,
    patience,
  });
  const answering: Answering = createAnswering({
    lists,
    keys: keys === "" ? NO_API_KEYS : apiKeysFrom(keys),
    findFullHashes: fullHashFinder(hashes),
    codedUpdates: coded,
    wait: 1_800_000,
    cache: 300_000,
    now,
  });
  const served = createApi(answering, METHODS, (facts) => answered.push(facts));
  const api: TestServer["api"] = {
    ...served,
    answer(request) {
      const reply = served.answer(request);
      return reply instanceof Promise ? reply.then(wholeReply) : wholeReply(reply);
    },
  };
  const get: TestServer["get"] = async (target, headers = {}, client = "client") =>
    api.answer({
      method: "GET",
      target,
      headers: { get: (name) => headers[name] ?? null },
      client: () => client,
      network: () => client,
    });
  return {
    answering,
    lists,
    api,
    answered,
    get,
    sender: (client) => async (target, headers) => {
      const { status, body } = await get(target, headers, client);
      if (status !== 200) throw new Error(`${status} ${Buffer.from(body)}`);
      return body;
    },
    async refresh() {
      if (await lists.refresh()) api.forgetAnswers();
    },
  };
}
