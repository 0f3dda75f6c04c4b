import type { SourceFormat } from "@x/list-source";
import type { RemovalLimits } from "../../publish/removal-limits.ts";
import type { StoreOptions } from "../store-address.ts";

/** The options of `publish`. */
export interface PublishSettings extends StoreOptions {
  readonly key?: string;
  readonly publicKey?: string;
  readonly lifetime: number;
  readonly trustClock?: boolean;
  readonly keepNames?: ReadonlySet<string>;
  readonly publicNames?: ReadonlySet<string>;
  readonly interop?: ReadonlySet<string>;
  readonly except?: string;
  readonly shareExceptions?: ReadonlySet<string>;
  readonly maxRemoved: RemovalLimits;
  readonly resume?: boolean;
  readonly report?: boolean;
  readonly ndjson?: boolean;
  readonly allowEmpty?: boolean;
  readonly allowBroad?: boolean;
  readonly skipBad?: boolean;
  readonly dryRun?: boolean;
  readonly watch?: boolean;
  /** For the garbage collection of `--watch`. */
  readonly keep: number;
  readonly window: number;
  readonly grace: number;
  readonly metrics?: string;
  readonly fetchEvery: number;
  readonly fetchSize: number;
  readonly fetchTime: number;
  readonly allowRedirectsTo?: ReadonlySet<string>;
  readonly allowPrivate?: ReadonlySet<string>;
  readonly input?: SourceFormat;
  readonly column?: string;
}

/** A version is signed again when less than this part of its lifetime is left. */
export const RENEW_FRACTION: number = 1 / 3;
