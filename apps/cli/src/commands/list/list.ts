import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { registerListApply } from "./apply.ts";
import { registerListBuild } from "./build.ts";
import { registerListDiff } from "./diff.ts";
import { registerListInfo } from "./info.ts";

export function registerList(program: Command, context: Context): void {
  const list = program
    .command("list")
    .summary("build, inspect and compare lists of hash prefixes")
    .description("Work with list files, which `urlhash check --list` reads.")
    .helpCommand(false);
  registerListBuild(list, context);
  registerListInfo(list, context);
  registerListDiff(list, context);
  registerListApply(list, context);
}
