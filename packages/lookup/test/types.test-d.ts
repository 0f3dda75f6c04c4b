import type { CanonicalUrl } from "@x/canon";
import type { UrlProblem, UrlReadings } from "@x/canon/readings";
import type { Expression } from "@x/expressions";
import {
  type Checker,
  checker,
  type LineProblem,
  type LineVerdict,
  type Match,
  type Unwrap,
  type UrlHash,
  type UrlVerdict,
  urlHashes,
} from "@x/lookup";
import { type Line, type LineBlock, lineReader, linesIn } from "@x/lookup/lines";
import type { PrefixList } from "@x/prefix-list";
import type { FullHash, HashPrefix } from "@x/sha256-prefix";
import { expectTypeOf } from "vitest";

expectTypeOf(urlHashes).parameter(0).toEqualTypeOf<string | Uint8Array | CanonicalUrl>();
expectTypeOf(urlHashes).returns.toEqualTypeOf<UrlHash[]>();
expectTypeOf<UrlHash>().toEqualTypeOf<{
  readonly expression: Expression;
  readonly hash: FullHash;
  readonly prefix: HashPrefix;
}>();

expectTypeOf(checker).parameter(0).toEqualTypeOf<PrefixList | readonly PrefixList[]>();
expectTypeOf(checker).returns.toEqualTypeOf<Checker>();
expectTypeOf<Checker["check"]>().toEqualTypeOf<
  (
    url: string | Uint8Array | CanonicalUrl,
    options?: { readonly unwrap?: Unwrap | undefined },
  ) => readonly Match[]
>();
expectTypeOf<Checker["checkHost"]>().toEqualTypeOf<(host: string) => readonly Match[]>();
expectTypeOf<Checker["checkMany"]>().returns.toExtend<Iterable<UrlVerdict>>();
expectTypeOf<Checker["engine"]>().toEqualTypeOf<"webassembly" | "javascript">();
expectTypeOf<UrlVerdict>().toEqualTypeOf<{
  readonly matches: readonly Match[];
  readonly safeMatches: readonly Match[];
  readonly error: UrlProblem | null;
  readonly readings: UrlReadings | null;
}>();
expectTypeOf<LineVerdict["error"]>().toEqualTypeOf<LineProblem | null>();
expectTypeOf<LineVerdict["matches"]>().toEqualTypeOf<UrlVerdict["matches"]>();
expectTypeOf<Checker["scan"]>().parameter(0).toEqualTypeOf<Uint8Array | LineBlock>();
expectTypeOf(linesIn).returns.toExtend<Iterable<Line>>();
expectTypeOf(lineReader).returns.toHaveProperty("push").returns.toEqualTypeOf<LineBlock>();
