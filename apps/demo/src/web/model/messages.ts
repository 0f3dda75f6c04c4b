import type { PrefixList } from "@x/prefix-list";
import type { HashEngine } from "@x/sha256-prefix/batch";
import type { EngineChoice } from "./engine.ts";
import type { explainUrns } from "./explain-urns.ts";
import type { findUrnsIn } from "./find-urns-in.ts";
import type { matchHashed } from "./match-hashed.ts";
import type { readList } from "./read-list.ts";
import type { Row } from "./row.ts";

/** Questions with one answer. Their work may take long, so the worker does it. */
export interface Questions {
  readonly "read-list": typeof readList;
  readonly "match-hashed": typeof matchHashed;
  readonly "find-urns": typeof findUrnsIn;
  readonly "explain-urns": typeof explainUrns;
}

export type Question = keyof Questions;
export type Asked<Q extends Question> = Parameters<Questions[Q]>[0];
export type Answer<Q extends Question> = ReturnType<Questions[Q]>;

/** Messages to the worker. Each job has a number, so that late answers can be told apart. */
export type ToWorker =
  | {
      readonly kind: "check";
      readonly job: number;
      readonly bytes: Uint8Array;
      readonly lists: readonly PrefixList[];
      readonly safeLists: readonly PrefixList[];
      readonly engine: EngineChoice;
    }
  | { readonly kind: "cancel"; readonly job: number }
  | {
      [Q in Question]: {
        readonly kind: "ask";
        readonly job: number;
        readonly question: Q;
        readonly asked: Asked<Q>;
      };
    }[Question];

/** Messages from the worker. */
export type FromWorker =
  | {
      readonly kind: "rows";
      readonly job: number;
      readonly rows: readonly Row[];
      /** How many bytes are checked. */
      readonly done: number;
      /** How many bytes there are. */
      readonly total: number;
    }
  | {
      readonly kind: "finished";
      readonly job: number;
      readonly isCancelled: boolean;
      readonly engine: HashEngine;
      /** The time that canonicalizing, hashing and looking up took. */
      readonly milliseconds: number;
    }
  | { readonly kind: "answer"; readonly job: number; readonly answer: Answer<Question> }
  | { readonly kind: "failed"; readonly job: number; readonly message: string };
