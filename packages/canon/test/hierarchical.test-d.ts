import { canonicalizeHierarchical, type HierarchicalOptions, resolveUri } from "@x/canon";
import { expectTypeOf } from "vitest";

expectTypeOf(canonicalizeHierarchical).toEqualTypeOf<
  (uri: string, options: HierarchicalOptions) => string
>();
expectTypeOf<{ variant: "N" | "P" }>().toExtend<HierarchicalOptions>();
expectTypeOf<{
  variant: "N" | "P";
  base: string | undefined;
  keepQuery: boolean;
  keepFragment: boolean;
}>().toExtend<HierarchicalOptions>();
expectTypeOf<{ base: string }>().not.toExtend<HierarchicalOptions>();
expectTypeOf(resolveUri).toEqualTypeOf<(uri: string, base?: string) => string>();
