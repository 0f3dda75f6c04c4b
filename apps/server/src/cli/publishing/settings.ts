import type { SourceFormat } from "@x/list-source";
import type { RemovalLimit } from "../../publish/removal-limits.ts";
import type { Settings } from "../settings/schema.ts";

/** One source of a list. */
export interface SourceSettings {
  /** The path of a file, or a URL. */
  readonly source: string;
  /** The format, which is recognized from the contents if `undefined`. */
  readonly format?: SourceFormat | undefined;
  readonly column?: string | undefined;
  /** The rows that are entries. */
  readonly where?: readonly string[] | undefined;
}

/** The settings that several lists can share. */
export interface SharedSettings {
  readonly sharesExceptions: boolean;
  /** Whether variants of the entries are published, too. */
  readonly interop: boolean;
  readonly allowEmpty: boolean;
  readonly allowBroad: boolean;
  readonly skipBad: boolean;
  /** How long a version is valid, in milliseconds. */
  readonly lifetime: number;
  /** The shortest time between two versions, in milliseconds. Signing a version again does not have to wait. */
  readonly minInterval: number;
  readonly maxRemoved: RemovalLimit;
}

export interface ListSettings extends SharedSettings {
  readonly list: string;
  readonly sources: readonly SourceSettings[];
  /** Exceptions files for this list only. The exceptions of the store apply to all lists. */
  readonly exceptFiles: readonly string[];
  /** Files of hosts that this list never blocks. */
  readonly neverBlockFiles: readonly string[];
}

/** A version is signed again when less than this part of its lifetime is left. */
export const RENEW_FRACTION: number = 1 / 3;

/** The options that apply to all lists of a run. */
export interface RunOptions {
  readonly trustClock?: boolean;
  readonly resume?: boolean;
  readonly dryRun?: boolean;
}

/** The settings for fetching sources. Times are in milliseconds, and sizes in bytes. */
export type FetchSettings = Settings["fetch"];
