import { createProgram, parseDuration } from "@x/command-line";
import { failTo } from "@x/command-line/node";
import type { Command } from "commander";
import { expectTypeOf } from "vitest";

expectTypeOf(createProgram).returns.toEqualTypeOf<Command>();
expectTypeOf(parseDuration).returns.toEqualTypeOf<number | null>();
expectTypeOf(failTo("read it")).returns.toBeNever();
