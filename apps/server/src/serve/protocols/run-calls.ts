import type { AnyMethod } from "@x/wire";
import type { Answering } from "../answering.ts";
import type { Client } from "../http/request.ts";
import { noLists } from "../lists/unavailable.ts";
import { logFields } from "../log.ts";
import { failedUpdates } from "../updates/failed-updates.ts";
import type { Answered, Call, CallFacts } from "./call.ts";

/** The route under which the log and the metrics record errors, whichever method was called. */
export const API_ROUTE = "api";

/** A value of at least this many bytes is shared by all answers that contain it. */
export const LARGE_VALUE_BYTES: number = 2 ** 14;

/** A method and the function that answers calls to it. */
export interface ServedMethod {
  readonly method: AnyMethod;
  // biome-ignore lint/suspicious/noExplicitAny: the message of the method
  readonly call: Call<any>;
}

export function served<M extends AnyMethod>(method: M, call: Call<M>): ServedMethod {
  return { method, call };
}

/** Runs calls, and remembers which differences were sent to clients. */
export interface CallRunner {
  /** Runs a call. `failed` is the result of {@link failedFor} for a cached answer. */
  run(
    served: ServedMethod,
    message: unknown,
    key: string | null,
    client: Client,
    failed?: readonly number[],
  ): Promise<Answered<unknown>>;
  /** The keys of the differences in a cached answer that the client seems to have failed to apply. */
  failedFor(facts: CallFacts, client: Client): readonly number[];
  /** Call this with the facts of each answer that is sent. */
  onAnswered(facts: CallFacts, client: Client): void;
}

const NONE: readonly number[] = [];

/** Creates the runner for all calls. `onAnswered` is called with the facts of each answer. */
export function createCallRunner(
  answering: Answering,
  onAnswered: (facts: CallFacts) => void,
): CallRunner {
  const failures = failedUpdates(answering.wait, answering.now);

  /** A key for each difference in an answer, made from the client and the token that the difference starts from. */
  function keysOf({ updates }: CallFacts, client: Client): readonly number[] {
    let keys = NONE;
    for (const { from } of updates) {
      if (from !== null) keys = [...keys, failures.keyOf(client.client(), from)];
    }
    return keys;
  }

  return {
    run({ call }, message, key, client, failed = NONE) {
      if (answering.lists.all().length === 0) throw noLists();
      const hasFailed = (token: string) => {
        const difference = failures.keyOf(client.client(), token);
        return failed.includes(difference) || failures.hasFailed(difference);
      };
      return call(message, { key, network: () => client.network(), hasFailed }, answering);
    },
    failedFor(facts, client) {
      const keys = keysOf(facts, client);
      return keys.length === 0 ? NONE : keys.filter((key) => failures.hasFailed(key));
    },
    onAnswered(facts, client) {
      for (const { from, given, reason } of facts.updates) {
        if (from !== null) failures.rememberSent(failures.keyOf(client.client(), from));
        // The token of a repeated update was given before, with the difference that failed.
        if (given === null || reason === "repeated") continue;
        failures.rememberGiven(failures.keyOf(client.client(), given));
      }
      onAnswered(facts);
    },
  };
}

/** Facts for the log, as the members of a JSON object. */
export function loggedFacts({ updates, search }: CallFacts): string {
  if (updates.length > 0) {
    return logFields({ updates: updates.map(({ list, kind }) => `${list}:${kind}`), ...search });
  }
  return search === null ? "" : `"asked":${search.asked},"found":${search.found}`;
}
