import type { DuckDBConnection } from "@duckdb/node-api";
import { type FunctionsOptions, registerFunctions } from "@x/duckdb";
import type { Checker } from "@x/lookup";
import { expectTypeOf } from "vitest";

expectTypeOf(registerFunctions).parameter(0).toEqualTypeOf<DuckDBConnection>();
expectTypeOf(registerFunctions).parameter(1).toEqualTypeOf<FunctionsOptions | undefined>();
expectTypeOf(registerFunctions).returns.toEqualTypeOf<void>();
expectTypeOf<Checker>().toExtend<NonNullable<FunctionsOptions["checker"]>>();
