import type { PrefixList } from "@x/prefix-list";
import type { HashEngine } from "@x/sha256-prefix";
import type { EngineChoice } from "./link.ts";
import type { Row } from "./row.ts";

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
      readonly kind: "read-list";
      readonly job: number;
      readonly octets: Uint8Array;
      /** What a list of plain lines is called. */
      readonly name: string;
    };

/** A line of a list that names nothing. */
export interface BadLine {
  readonly line: number;
  /** Printable. */
  readonly problem: string;
}

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
  | {
      readonly kind: "list";
      readonly job: number;
      readonly list: PrefixList;
      readonly badLines: readonly BadLine[];
    }
  | { readonly kind: "failed"; readonly job: number; readonly message: string };
