import type { RegistrableDomain } from "@x/expressions";
import {
  CLIENTS,
  type Client,
  type ClientOptions,
  type ClientReport,
  type ClientTexts,
  clientTitle,
  type DifferenceCode,
  type EntryReport,
  interopVariants,
  isZoneName,
  type ReasonCode,
  readAs,
  reportEntry,
  type UnreadableCode,
  type Variant,
} from "@x/interop";
import { expectTypeOf } from "vitest";

expectTypeOf(CLIENTS).toEqualTypeOf<readonly Client[]>();
expectTypeOf(clientTitle).toEqualTypeOf<(client: Client) => string>();
expectTypeOf(readAs).toEqualTypeOf<
  (client: Client, url: string, options?: ClientOptions) => ClientTexts
>();
expectTypeOf(isZoneName).toEqualTypeOf<(host: string) => boolean>();
expectTypeOf(interopVariants).toEqualTypeOf<
  (entry: string, options?: ClientOptions) => Variant[]
>();
expectTypeOf(reportEntry).toEqualTypeOf<(entry: string, options?: ClientOptions) => EntryReport>();
expectTypeOf<ClientOptions>().toEqualTypeOf<{
  readonly registrableDomain?: RegistrableDomain | undefined;
}>();
expectTypeOf<ClientReport["code"]>().toEqualTypeOf<ReasonCode | null>();
expectTypeOf<ReasonCode>().toEqualTypeOf<UnreadableCode | DifferenceCode | "not-a-whole-host">();
