import type { Command } from "commander";
import type { Context } from "../context.ts";
import { registerListApply } from "./list-apply.ts";
import { registerListBuild } from "./list-build.ts";
import { registerListDiff } from "./list-diff.ts";
import { registerListInfo } from "./list-info.ts";

export function registerList(program: Command, context: Context): void {
  const list = program
    .command("list")
    .summary("build, look into and compare lists of hash prefixes")
    .description("Lists of hash prefixes: files for `urlhash check --list`.")
    .helpCommand(false);
  registerListBuild(list, context);
  registerListInfo(list, context);
  registerListDiff(list, context);
  registerListApply(list, context);
}
