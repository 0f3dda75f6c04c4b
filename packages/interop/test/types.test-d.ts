import type { RegistrableDomain } from "@x/expressions";
import {
  CLIENTS,
  type ClientKind,
  type ClientReport,
  type ClientTexts,
  type DifferenceCode,
  type EntryReport,
  type EntryVariant,
  interopVariants,
  type ReadOptions,
  type ReasonCode,
  readAs,
  reportEntry,
  type UnreadableCode,
} from "@x/interop";
import { expectTypeOf } from "vitest";

expectTypeOf(CLIENTS).toEqualTypeOf<readonly ClientKind[]>();
expectTypeOf(readAs).toEqualTypeOf<
  (client: ClientKind, url: string, options?: ReadOptions) => ClientTexts
>();
expectTypeOf(interopVariants).toEqualTypeOf<
  (entry: string, options?: ReadOptions) => EntryVariant[]
>();
expectTypeOf(reportEntry).toEqualTypeOf<(entry: string, options?: ReadOptions) => EntryReport>();
expectTypeOf<ReadOptions>().toEqualTypeOf<{
  readonly registrableDomain?: RegistrableDomain | undefined;
}>();
expectTypeOf<ClientReport["code"]>().toEqualTypeOf<ReasonCode | null>();
expectTypeOf<ReasonCode>().toEqualTypeOf<UnreadableCode | DifferenceCode>();
