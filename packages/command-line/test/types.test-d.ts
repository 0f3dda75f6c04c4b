import {
  completionScript,
  createProgram,
  type DefinedCommand,
  type ManPageTexts,
  manPage,
  type ProgramSettings,
  parseDuration,
  SHELLS,
} from "@x/command-line";
import { failTo } from "@x/command-line/node";
import type { Command } from "commander";
import { expectTypeOf } from "vitest";

expectTypeOf(SHELLS).toEqualTypeOf<readonly string[]>();
expectTypeOf(completionScript).toEqualTypeOf<
  (program: DefinedCommand, shell: string) => string | null
>();
expectTypeOf(manPage).toEqualTypeOf<(program: DefinedCommand, texts: ManPageTexts) => string>();
expectTypeOf(createProgram).toEqualTypeOf<(settings: ProgramSettings) => Command>();
expectTypeOf(parseDuration).returns.toEqualTypeOf<number | null>();
expectTypeOf(failTo("read it")).returns.toBeNever();
