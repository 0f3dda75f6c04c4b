import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import type { Exception } from "../../publish/exceptions.ts";
import type { ListContents } from "../../publish/read-list.ts";
import type { ReadProgress } from "../../publish/read-sources.ts";
import type { Source } from "../../publish/source.ts";
import type { ScratchFile } from "../../storage/scratch-file.ts";
import type { Context } from "../context.ts";
import { describeExceptions } from "./describe-published.ts";
import { describeReading, reportSource } from "./report-source.ts";
import type { ListSettings } from "./settings.ts";

function describeRead({ share, entries }: ReadProgress): string {
  const percent = share === null ? "" : `, ${Math.floor(100 * share)} %`;
  return percent + (entries === 0 ? "" : `, ${counted(entries, "entry", "entries")} so far`);
}

/**
 * Reads the sources of a list, and reports on them. Returns `null` if a source is refused.
 *
 * @param before the messages about the sources of the last version, if they are known.
 */
export async function readContents(
  settings: ListSettings,
  sources: readonly Source[],
  exceptions: readonly Exception[],
  context: Context,
  scratch: ScratchFile,
  before: readonly string[] | null,
): Promise<ListContents | null> {
  const { list, sharesExceptions, interop: variants, allowEmpty, allowBroad } = settings;
  const { readList } = await import("../../publish/read-list.ts");
  /** How each source was read, in words, or `null` if that is obvious. */
  const described: (string | null)[] = [];
  let isAccepted = true;
  const given = sources.map((source, i) => ({ ...settings.sources[i], source }));
  const contents = await readList(given, {
    allowEmpty,
    allowBroad,
    exceptions,
    scratch,
    sharesExceptions,
    variants,
    onSource(found) {
      described.push(describeReading(found, given[described.length]!));
      if (!reportSource(found, settings.skipBad, context, before)) isAccepted = false;
    },
    beforeRead(progress) {
      context.progress.show(`${list}: reading ${printable(progress.source)}`, () =>
        describeRead(progress),
      );
      return context.drained();
    },
    beforeSort(share) {
      context.progress.show(`${list}: sorting`, () =>
        share === 0 ? "" : `, ${Math.floor(100 * share)} %`,
      );
      return context.drained();
    },
  });
  for (const reading of isAccepted ? described : []) {
    if (reading !== null) context.print(printable(`${list}: ${reading}`));
  }
  for (const line of describeExceptions(list, contents)) context.complain(printable(line));
  return isAccepted ? contents : null;
}
