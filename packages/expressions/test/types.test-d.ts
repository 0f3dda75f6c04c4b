import type { CanonicalUrl } from "@x/canon";
import type { CanonicalSpans } from "@x/canon/verify";
import {
  type Coverage,
  coverage,
  type Expression,
  type ExpressionOptions,
  exactExpression,
  expressions,
  type RegistrableDomain,
} from "@x/expressions";
import { sliceExpressions } from "@x/expressions/slices";
import { expectTypeOf } from "vitest";

expectTypeOf(expressions).toEqualTypeOf<
  (url: string | Uint8Array | CanonicalUrl, options?: ExpressionOptions) => Expression[]
>();
expectTypeOf(exactExpression).toEqualTypeOf<
  (url: string | Uint8Array | CanonicalUrl) => Expression
>();
expectTypeOf(sliceExpressions).toEqualTypeOf<
  (
    bytes: Uint8Array,
    spans: CanonicalSpans,
    options: ExpressionOptions,
    starts: Uint32Array,
    ends: Uint32Array,
    at: number,
  ) => number
>();
expectTypeOf(coverage).toEqualTypeOf<
  (url: string | Uint8Array | CanonicalUrl, options?: ExpressionOptions) => Coverage
>();
expectTypeOf<Expression>().toEqualTypeOf<`${string}/${string}`>();
expectTypeOf<RegistrableDomain>().toEqualTypeOf<(host: string) => string | null>();
expectTypeOf<ExpressionOptions>().toEqualTypeOf<{
  readonly registrableDomain?: RegistrableDomain | undefined;
}>();
