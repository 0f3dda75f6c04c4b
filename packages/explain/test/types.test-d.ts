import type { CanonicalizationStep } from "@x/canon";
import {
  type CheckedUrl,
  checkedUrl,
  compareUrns,
  type ExplainUrlOptions,
  explainUrl,
  explainUrn,
  type InputProblem,
  type MatchRecord,
  type Refusal,
  type UrlExplanation,
  type UrnComparison,
  type UrnExplanation,
  type VerdictCode,
  verdictOf,
} from "@x/explain";
import { printable, printableJson } from "@x/explain/printable";
import type { PrefixList } from "@x/prefix-list";
import type { Urn } from "@x/urn";
import { expectTypeOf } from "vitest";

expectTypeOf(explainUrl).parameter(0).toEqualTypeOf<string | Uint8Array>();
expectTypeOf(explainUrl).parameter(1).toEqualTypeOf<readonly PrefixList[]>();
expectTypeOf(explainUrl).parameter(2).toEqualTypeOf<ExplainUrlOptions | undefined>();
expectTypeOf(explainUrl).returns.toEqualTypeOf<UrlExplanation | Refusal>();
expectTypeOf<UrlExplanation["steps"]>().toEqualTypeOf<readonly CanonicalizationStep[]>();
expectTypeOf<UrlExplanation["listed"]>().toEqualTypeOf<boolean | null>();
expectTypeOf<UrlExplanation["matches"]>().toExtend<readonly MatchRecord[]>();
expectTypeOf<Refusal>().toEqualTypeOf<{ readonly error: InputProblem }>();

expectTypeOf(checkedUrl).parameter(0).toEqualTypeOf<string | Uint8Array>();
expectTypeOf(checkedUrl).returns.toEqualTypeOf<CheckedUrl>();
expectTypeOf(verdictOf).returns.toEqualTypeOf<VerdictCode>();

expectTypeOf(explainUrn).parameter(0).toEqualTypeOf<string | Uint8Array>();
expectTypeOf(explainUrn).returns.toEqualTypeOf<UrnExplanation | Refusal>();
expectTypeOf<UrnExplanation>().toExtend<Urn>();
expectTypeOf(compareUrns).returns.toEqualTypeOf<UrnComparison>();

expectTypeOf(printable).toEqualTypeOf<(text: string | Uint8Array) => string>();
expectTypeOf(printableJson).toEqualTypeOf<(value: unknown) => string>();
