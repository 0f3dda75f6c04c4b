import { isUtf8 } from "node:buffer";
import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import type { ListSourceError } from "@x/list-source";
import { readRegularFile } from "@x/list-store/node";
import { hasName } from "@x/sha256-prefix/has-name";
import { type Exception, readExceptions, type UnreadException } from "../../publish/exceptions.ts";
import type { Settings } from "../settings/schema.ts";

/**
 * Reads an exceptions file, or a file of hosts that are never blocked. A missing file is an error, because the excepted
 * URLs would be blocked again.
 */
export async function readExceptText(
  file: string,
  name = `The exceptions file ${file}`,
): Promise<string> {
  try {
    const bytes = await readRegularFile(file, name);
    if (bytes === null) throw new Failure(`${name} is a directory`);
    if (!isUtf8(bytes)) {
      throw new Failure(`${name} is not text in UTF-8: convert it first, for example with iconv`);
    }
    return Buffer.from(bytes).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new Failure(
      `${name} does not exist: restore it, or make an empty file if nothing belongs in it`,
      { cause: error },
    );
  }
}

/**
 * Parses the text of an exceptions file, or of an argument if `file` is `null`. A line that is not valid is an error,
 * because the URL that it should except would be blocked.
 */
export async function exceptionsIn(
  text: string,
  file: string | null,
  options: Pick<Exception, "isNeverBlocked"> = {},
): Promise<Exception[]> {
  const onRefusal = ({ line, text: refused, expected }: UnreadException) => {
    const place = file === null ? "" : `${file}:${line}: `;
    throw new Failure(
      printable(`${place}${JSON.stringify(refused)} was refused: expected ${expected}`),
    );
  };
  try {
    return await readExceptions(text, file ?? "", onRefusal, options);
  } catch (error) {
    if (!hasName<ListSourceError>(error, "ListSourceError")) throw error;
    throw new Failure(`${file ?? JSON.stringify(text)}: ${error.message}`, { cause: error });
  }
}

/** The initial contents of an exceptions file. */
export const NO_EXCEPTIONS =
  "# Exceptions: entries that are never published, one URL, host or expression per line.\n";

/** Files with exceptions, for a list or a store. */
export interface ExceptFiles {
  readonly exceptFiles: readonly string[];
  /** Files of hosts that are never blocked. */
  readonly neverBlockFiles: readonly string[];
}

/** The files that the settings of a list, or of all lists, name. */
export const exceptFilesOf = ({
  exceptions = [],
  "never-block": neverBlock = [],
}: Pick<Settings, "exceptions" | "never-block"> = {}): ExceptFiles => ({
  exceptFiles: exceptions,
  neverBlockFiles: neverBlock,
});

/** Reads the exceptions of the store, and those that are only for a list. */
export async function exceptionsOf(
  list: string,
  { lists }: Pick<Settings, "lists">,
  files: ExceptFiles,
): Promise<Exception[]> {
  const own = Object.hasOwn(lists, list) ? lists[list] : undefined;
  return [...(await readExceptFiles(files)), ...(await readExceptFiles(exceptFilesOf(own)))];
}

export async function readExceptFiles({
  exceptFiles,
  neverBlockFiles,
}: ExceptFiles): Promise<Exception[]> {
  const all: Exception[][] = [];
  for (const file of exceptFiles) all.push(await exceptionsIn(await readExceptText(file), file));
  for (const file of neverBlockFiles) {
    const text = await readExceptText(file, `The file of hosts ${file} (never-block)`);
    all.push(await exceptionsIn(text, file, { isNeverBlocked: true }));
  }
  return all.flat();
}
