import type { CanonicalUrl, HostType } from "@x/canon";
import { type ExpressionOptions, exactExpression, expressions } from "@x/expressions";

/** Why a client looks up nothing for a URL. */
export type UnreadableCode =
  | "not-a-url"
  | "not-loadable"
  | "host-undecided"
  | "no-scheme"
  | "address"
  | "not-a-name";

/** What a client looks up for a URL. */
export interface Reading {
  /** The text that stands for exactly this URL; `null` when the client looks up nothing. */
  readonly exact: string | null;
  /** All texts, with those for the folders and hosts above the URL. */
  readonly texts: readonly string[];
  /** Why the client looks up nothing; `null` when it does. */
  readonly problem: UnreadableCode | null;
}

export function unreadable(problem: UnreadableCode): Reading {
  return { exact: null, texts: [], problem };
}

/** The parts of a URL that expressions are made of. */
export interface Parts {
  readonly host: string;
  readonly hostType: HostType;
  readonly path: string;
  readonly query: string | null;
}

/** The reading of a client that forms expressions as the specification does, from parts that are its own. */
export function readingOf(parts: Parts, options: ExpressionOptions = {}): Reading {
  // Expressions are formed of these four parts alone.
  const url: CanonicalUrl = { ...parts, path: parts.path as `/${string}`, href: "", scheme: "" };
  return { exact: exactExpression(url), texts: expressions(url, options), problem: null };
}
