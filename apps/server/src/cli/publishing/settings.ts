import type { SourceFormat } from "@x/list-source";
import type { NamesKept } from "../../publish/read-list.ts";
import type { RemovalLimit, RemovalLimits } from "../../publish/removal-limits.ts";
import type { KeyOptions } from "./signing.ts";

/** One source of a list. */
export interface SourceSettings {
  /** The path of a file, or a URL. */
  readonly source: string;
  /** Recognized if it is `undefined`. */
  readonly format?: SourceFormat | undefined;
  readonly column?: string | undefined;
}

/** How a list is made and published. Lists may have these settings in common. */
export interface SharedSettings {
  readonly sharesExceptions: boolean;
  readonly names: NamesKept;
  /** Whether variants of the entries are published, too. */
  readonly interop: boolean;
  readonly allowEmpty: boolean;
  readonly allowBroad: boolean;
  readonly skipBad: boolean;
  /** In milliseconds, like all times here. */
  readonly lifetime: number;
  /** The shortest time between two versions, unless a version has to be signed again. */
  readonly minInterval: number;
  readonly maxRemoved: RemovalLimit;
}

/** How one list is made from its sources, and published. */
export interface ListSettings extends SharedSettings {
  readonly list: string;
  readonly sources: readonly SourceSettings[];
  /** Files of exceptions for this list only. The exceptions of the store hold for all lists. */
  readonly exceptFiles: readonly string[];
}

/** The options that name the lists for which they hold. */
export interface NamingOptions {
  readonly shareExceptions?: ReadonlySet<string>;
  readonly keepNames?: ReadonlySet<string>;
  readonly publicNames?: ReadonlySet<string>;
  readonly interop?: ReadonlySet<string>;
  readonly maxRemoved: RemovalLimits;
}

/** The options that say how lists are made. */
export interface ListOptions extends NamingOptions {
  readonly input?: SourceFormat;
  readonly column?: string;
  readonly allowEmpty?: boolean;
  readonly allowBroad?: boolean;
  readonly skipBad?: boolean;
  readonly lifetime: number;
  readonly minInterval: number;
}

/** The options of a run, for all of its lists. */
export interface RunOptions extends KeyOptions {
  /** The file with the exceptions of the store. */
  readonly except?: string;
  readonly trustClock?: boolean;
  readonly resume?: boolean;
  readonly report?: boolean;
  readonly ndjson?: boolean;
  readonly dryRun?: boolean;
}

/** The options that say how sources are fetched. */
export interface FetchOptions {
  readonly fetchEvery: number;
  readonly fetchSize: number;
  readonly fetchTime: number;
  readonly allowRedirectsTo?: ReadonlySet<string>;
  readonly allowPrivate?: ReadonlySet<string>;
}

/** A version is signed again when less than this part of its lifetime is left. */
export const RENEW_FRACTION: number = 1 / 3;
