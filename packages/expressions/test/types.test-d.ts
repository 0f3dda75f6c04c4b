import type { CanonicalUrl } from "@x/canon";
import {
  type Expression,
  type ExpressionOptions,
  type ExpressionSlices,
  exactExpression,
  expressionSlices,
  expressions,
  type RegistrableDomain,
} from "@x/expressions";
import { expectTypeOf } from "vitest";

expectTypeOf(expressions).toEqualTypeOf<
  (url: string | Uint8Array | CanonicalUrl, options?: ExpressionOptions) => Expression[]
>();
expectTypeOf(exactExpression).toEqualTypeOf<
  (url: string | Uint8Array | CanonicalUrl) => Expression
>();
expectTypeOf(expressionSlices).toEqualTypeOf<
  (url: CanonicalUrl, options?: ExpressionOptions) => ExpressionSlices
>();
expectTypeOf<Expression>().toEqualTypeOf<`${string}/${string}`>();
expectTypeOf<RegistrableDomain>().toEqualTypeOf<(host: string) => string | null>();
expectTypeOf<ExpressionOptions>().toEqualTypeOf<{
  readonly registrableDomain?: RegistrableDomain | undefined;
}>();
expectTypeOf<ExpressionSlices>().toEqualTypeOf<{
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}>();
