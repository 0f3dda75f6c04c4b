import type { PrefixList } from "@x/prefix-list";
import type { HashEngine } from "@x/sha256-prefix/batch";
import type { findUrnsIn } from "./find-urns-in.ts";
import type { EngineChoice } from "./link.ts";
import type { matchHashed } from "./match-hashed.ts";
import type { readList } from "./read-list.ts";
import type { Row } from "./row.ts";

/** What the worker is asked that has one answer: work that may take long, and would hold up the page. */
export interface Questions {
  readonly "read-list": typeof readList;
  readonly "match-hashed": typeof matchHashed;
  readonly "find-urns": typeof findUrnsIn;
}

export type Question = keyof Questions;
export type Asked<Q extends Question> = Parameters<Questions[Q]>[0];
export type Answer<Q extends Question> = ReturnType<Questions[Q]>;

/** What the page asks of the worker. Jobs are numbered, so that late answers are told apart. */
export type ToWorker =
  | {
      readonly kind: "check";
      readonly job: number;
      readonly octets: Uint8Array;
      readonly lists: readonly PrefixList[];
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

export type FromWorker =
  | {
      readonly kind: "rows";
      readonly job: number;
      readonly rows: readonly Row[];
      /** Octets that are dealt with, of all. */
      readonly done: number;
      readonly total: number;
    }
  | {
      readonly kind: "finished";
      readonly job: number;
      readonly isCancelled: boolean;
      readonly engine: HashEngine;
      /** The time that was spent on canonicalizing, hashing and looking up. */
      readonly milliseconds: number;
    }
  | { readonly kind: "answer"; readonly job: number; readonly answer: Answer<Question> }
  | { readonly kind: "failed"; readonly job: number; readonly message: string };
