import type { Expression } from "@x/expressions";
import {
  type ColumnReader,
  type ColumnReaderOptions,
  columnReader,
  entriesOfHost,
  foreignLine,
  type LineRecognition,
  type ListSourceOptions,
  listSourceReader,
  type NotApplicable,
  type RecognizeOptions,
  type Refusal,
  readListSource,
  recognizeSource,
  refang,
  SOURCE_FORMATS,
  type SourceEntry,
  type SourceFormat,
  type SourceProblem,
  type SourceSummary,
  sourceProblem,
  type Warning,
  type WarningCode,
} from "@x/list-source";
import { isPublicSuffix, isRegistrySuffix } from "@x/list-source/public-suffixes";
import { expectTypeOf } from "vitest";

expectTypeOf(listSourceReader).parameters.toEqualTypeOf<[options: ListSourceOptions]>();
expectTypeOf(listSourceReader).returns.toEqualTypeOf<{
  push(bytes: Uint8Array): void;
  end(): SourceSummary;
}>();
expectTypeOf(readListSource).toEqualTypeOf<
  (
    chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    options: ListSourceOptions,
  ) => Promise<SourceSummary>
>();
expectTypeOf(recognizeSource).toEqualTypeOf<
  (start: Uint8Array, options?: RecognizeOptions) => SourceSummary["recognition"]
>();
expectTypeOf(foreignLine).toEqualTypeOf<(line: Uint8Array | string) => LineRecognition | null>();
expectTypeOf(entriesOfHost).toEqualTypeOf<(host: Expression) => Expression[]>();
expectTypeOf(refang).toEqualTypeOf<(text: string) => string>();
expectTypeOf(sourceProblem).toEqualTypeOf<
  (
    summary: Pick<SourceSummary, "entries" | "refused">,
    options?: {
      readonly maxRefusedShare?: number | undefined;
      readonly allowEmpty?: boolean | undefined;
    },
  ) => SourceProblem | null
>();
expectTypeOf(isPublicSuffix).toEqualTypeOf<(host: string) => boolean>();
expectTypeOf(isRegistrySuffix).toEqualTypeOf<(host: string) => boolean>();
expectTypeOf(SOURCE_FORMATS).toEqualTypeOf<readonly SourceFormat[]>();
expectTypeOf<SourceEntry>().toEqualTypeOf<{
  readonly date?: string | undefined;
  readonly line: number;
  readonly text: string | null;
  readonly expression: Expression | null;
  readonly hash: Uint8Array;
}>();
expectTypeOf<NotApplicable>().toEqualTypeOf<{ readonly line: number; readonly text: string }>();
expectTypeOf<Refusal>().toExtend<{
  readonly line: number;
  readonly lines: number;
  readonly code: string;
  readonly text: string;
  readonly expected: string;
}>();
expectTypeOf<Warning>().toEqualTypeOf<{
  readonly line: number;
  readonly code: WarningCode;
  readonly text: string | null;
  readonly expression: Expression | null;
  readonly message: string;
}>();
expectTypeOf<ListSourceOptions>().toExtend<{
  readonly isPublicSuffix?: ((host: string) => boolean) | undefined;
  readonly isRegistrySuffix?: ((host: string) => boolean) | undefined;
  readonly allowBroad?: boolean | undefined;
}>();
expectTypeOf(columnReader).toEqualTypeOf<(options: ColumnReaderOptions) => ColumnReader>();
expectTypeOf<ColumnReaderOptions>().toEqualTypeOf<{
  readonly column: string | number;
  readonly accepts: (text: string) => boolean;
  readonly onValue: (text: string, line: number) => void;
  readonly onRefusal: (refusal: Refusal) => void;
}>();
