import {
  equalHashedUris,
  formatHashedUri,
  formatHashedUriListHeader,
  type HashAlgorithm,
  type HashedUri,
  type HashedUriError,
  type HashedUriErrorCode,
  type HashedUriListHeader,
  type HashedUriListLine,
  type HashUriOptions,
  hashedUriMatcher,
  hashUri,
  type MatchOptions,
  matchesHashedUri,
  otherSpelling,
  parseHashedUri,
  parseHashedUriListLine,
  type SchemeRule,
  tryParseHashedUri,
  type UnusableHashedUri,
} from "@x/hashed-uri";
import { expectTypeOf } from "vitest";

expectTypeOf(otherSpelling).toEqualTypeOf<
  (uri: string, options?: HashUriOptions) => string | null
>();
expectTypeOf(formatHashedUriListHeader).toEqualTypeOf<(header: HashedUriListHeader) => string>();
expectTypeOf(parseHashedUriListLine).toEqualTypeOf<
  (line: string, header?: HashedUriListHeader) => HashedUriListLine
>();
// The header of a list can be passed as options.
expectTypeOf<HashedUriListHeader>().toExtend<MatchOptions>();
expectTypeOf<HashedUriListHeader>().toExtend<HashUriOptions>();
expectTypeOf(hashUri).parameter(0).toBeString();
expectTypeOf(hashUri).returns.toBeString();
expectTypeOf<{
  algorithm: string;
  keepFragment: boolean;
  keepQuery: boolean;
  variant: "N" | "P";
  base: string;
  schemes: { mailto: (uri: string) => string };
  algorithms: { "x-mine": (octets: Uint8Array) => Uint8Array };
}>().toExtend<NonNullable<Parameters<typeof hashUri>[1]>>();

expectTypeOf<HashedUri>().toEqualTypeOf<{
  readonly algorithm: string;
  readonly value: string;
  readonly fragment: boolean;
  readonly query: boolean;
}>();
expectTypeOf(parseHashedUri).toEqualTypeOf<(text: string) => HashedUri>();
expectTypeOf(tryParseHashedUri).toEqualTypeOf<(text: string) => HashedUri | null>();
expectTypeOf(formatHashedUri).toEqualTypeOf<(hashed: HashedUri) => string>();
expectTypeOf(equalHashedUris).toEqualTypeOf<
  (a: HashedUri | string, b: HashedUri | string) => boolean
>();

expectTypeOf(matchesHashedUri).parameter(0).toEqualTypeOf<HashedUri | string>();
expectTypeOf(matchesHashedUri).parameter(1).toBeString();
expectTypeOf(matchesHashedUri).returns.toBeBoolean();
expectTypeOf(hashedUriMatcher).parameter(0).toEqualTypeOf<Iterable<HashedUri | string>>();
expectTypeOf(hashedUriMatcher([])).toExtend<(uri: string) => HashedUri | null>();
expectTypeOf(hashedUriMatcher([]).unusable).toEqualTypeOf<readonly UnusableHashedUri[]>();

expectTypeOf<HashAlgorithm>().toEqualTypeOf<(octets: Uint8Array) => Uint8Array>();
expectTypeOf<SchemeRule>().toEqualTypeOf<(uri: string, variant: "N" | "P") => string>();
expectTypeOf<HashedUriError["code"]>().toEqualTypeOf<HashedUriErrorCode>();
expectTypeOf<HashedUriError["expected"]>().toBeString();
expectTypeOf<HashedUriError["index"]>().toEqualTypeOf<number | null>();
