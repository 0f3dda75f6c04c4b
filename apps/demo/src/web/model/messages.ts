import type { PrefixList } from "@x/prefix-list";
import type { HashEngine } from "@x/sha256-prefix/batch";
import type { DownloadFormat } from "./bulk/download.ts";
import type { RowFilter, RowOrder } from "./bulk/selection.ts";
import type { MostHits } from "./bulk/tally.ts";
import type { EngineChoice } from "./engine.ts";
import type { explainUrns } from "./explain-urns.ts";
import type { findUrnsIn } from "./find-urns-in.ts";
import type { matchHashed } from "./match-hashed.ts";
import type { readList } from "./read-list.ts";
import type { Row, RowVerdict } from "./row.ts";

/** Rows of a check of many URLs. */
export interface RowsAsked {
  /** The number of the check. */
  readonly job: number;
  readonly filter: RowFilter;
  readonly order: RowOrder;
  /** From 1. For a number that is too large, the last page is returned. */
  readonly page: number;
}

export interface RowsPage {
  readonly rows: readonly Row[];
  /** The number of rows on all pages. */
  readonly total: number;
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  /** How many rows there are before the first one of this page. */
  readonly before: number;
}

/** All rows that a filter leaves, as a file. */
export interface DownloadAsked extends Omit<RowsAsked, "page"> {
  readonly format: DownloadFormat;
}

/** Questions with one answer. Their work may take long, so the worker does it. */
export interface Questions {
  readonly "read-list": typeof readList;
  readonly "match-hashed": typeof matchHashed;
  readonly "find-urns": typeof findUrnsIn;
  readonly "explain-urns": typeof explainUrns;
  readonly rows: (asked: RowsAsked) => Promise<RowsPage>;
  readonly download: (asked: DownloadAsked) => Promise<Blob>;
}

export type Question = keyof Questions;
export type Asked<Q extends Question> = Parameters<Questions[Q]>[0];
export type Answer<Q extends Question> = Awaited<ReturnType<Questions[Q]>>;

/** Starts a check of many URLs. The one before it ends. */
export interface CheckMessage {
  readonly kind: "check";
  readonly job: number;
  /** The lines: a file, or the text of a field. */
  readonly source: Blob;
  readonly lists: readonly PrefixList[];
  readonly safeLists: readonly PrefixList[];
  readonly engine: EngineChoice;
}

/** Messages to the worker. Each job has a number, so that late answers can be told apart. */
export type ToWorker =
  | CheckMessage
  | { readonly kind: "cancel"; readonly job: number }
  | {
      [Q in Question]: {
        readonly kind: "ask";
        readonly job: number;
        readonly question: Q;
        readonly asked: Asked<Q>;
      };
    }[Question];

/** How far a check of many URLs is, and what it has found. */
export interface CheckProgress {
  /** How many bytes are checked. */
  readonly done: number;
  /** How many bytes there are. */
  readonly total: number;
  /** How many lines are checked, without blank ones. */
  readonly checked: number;
  readonly counts: Readonly<Record<RowVerdict, number>>;
  readonly entries: MostHits;
  readonly hosts: MostHits;
  readonly engine: HashEngine;
  /** The time that checking took. */
  readonly milliseconds: number;
}

/** Messages from the worker. */
export type FromWorker =
  | { readonly kind: "progress"; readonly job: number; readonly progress: CheckProgress }
  | {
      readonly kind: "finished";
      readonly job: number;
      readonly isCancelled: boolean;
      readonly progress: CheckProgress;
    }
  | { readonly kind: "answer"; readonly job: number; readonly answer: Answer<Question> }
  | { readonly kind: "failed"; readonly job: number; readonly message: string };
