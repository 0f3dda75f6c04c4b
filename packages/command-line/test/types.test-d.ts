import { completionScript, createProgram, manPage, parseDuration, SHELLS } from "@x/command-line";
import { failTo } from "@x/command-line/node";
import type { Command } from "commander";
import { expectTypeOf } from "vitest";

expectTypeOf(SHELLS).toEqualTypeOf<readonly string[]>();
expectTypeOf(completionScript).parameter(1).toEqualTypeOf<string>();
expectTypeOf(completionScript).returns.toEqualTypeOf<string | null>();
expectTypeOf(manPage).parameter(0).toEqualTypeOf<Parameters<typeof completionScript>[0]>();
expectTypeOf(manPage).returns.toEqualTypeOf<string>();
expectTypeOf(createProgram).returns.toEqualTypeOf<Command>();
expectTypeOf(parseDuration).returns.toEqualTypeOf<number | null>();
expectTypeOf(failTo("read it")).returns.toBeNever();
