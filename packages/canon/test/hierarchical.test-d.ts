import type { UrlProblem } from "@x/canon";
import {
  type AbsoluteUri,
  canonicalizeHierarchical,
  formatUri,
  type HierarchicalOptions,
  isHierarchical,
  parseUri,
  readUri,
  type UriProblem,
} from "@x/canon/hierarchical";
import { expectTypeOf } from "vitest";

expectTypeOf(canonicalizeHierarchical).toEqualTypeOf<
  (uri: string | AbsoluteUri, options: HierarchicalOptions) => string
>();
expectTypeOf<{ variant: "N" | "P" }>().toExtend<HierarchicalOptions>();
expectTypeOf<{
  variant: "N" | "P";
  base: string | undefined;
  keepQuery: boolean;
  keepFragment: boolean;
}>().toExtend<HierarchicalOptions>();
expectTypeOf<{ base: string }>().not.toExtend<HierarchicalOptions>();
expectTypeOf(readUri).toEqualTypeOf<
  (
    uri: string,
    base?: string,
  ) =>
    | { readonly uri: AbsoluteUri; readonly problem: null }
    | { readonly uri: null; readonly problem: UriProblem }
>();
expectTypeOf<UriProblem>().toExtend<UrlProblem>();
expectTypeOf<UriProblem["input"]>().toEqualTypeOf<string>();
expectTypeOf(parseUri).toEqualTypeOf<(uri: string, base?: string) => AbsoluteUri>();
expectTypeOf(formatUri).toEqualTypeOf<(uri: AbsoluteUri) => string>();
expectTypeOf(isHierarchical).toEqualTypeOf<(uri: AbsoluteUri) => boolean>();
expectTypeOf<AbsoluteUri>().toEqualTypeOf<{
  readonly scheme: string;
  readonly authority: string | null;
  readonly path: string;
  readonly query: string | null;
  readonly fragment: string | null;
}>();
