import { isUtf8 } from "node:buffer";
import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import type { ListSourceError } from "@x/list-source";
import { readRegularFile } from "@x/list-store/node";
import { hasName } from "@x/sha256-prefix/has-name";
import { type Exception, readExceptions } from "../../publish/exceptions.ts";
import type { StoreFiles } from "../store-files.ts";

/** Reads an exceptions file. A missing file is an error, because the excepted URLs would be blocked again. */
export async function readExceptText(file: string): Promise<string> {
  try {
    const bytes = await readRegularFile(file, `The exceptions file ${file}`);
    if (bytes === null) throw new Failure(`The exceptions file ${file} is a directory`);
    if (!isUtf8(bytes)) {
      throw new Failure(
        `The exceptions file ${file} is not text in UTF-8: convert it first, for example with iconv`,
      );
    }
    return Buffer.from(bytes).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new Failure(
      `The exceptions file ${file} does not exist: restore it, or make an empty one if there are no exceptions`,
      { cause: error },
    );
  }
}

/**
 * Parses the text of an exceptions file, or of an argument if `file` is `null`. A line that is not valid is an error,
 * because the URL that it should except would be blocked.
 */
export async function exceptionsIn(text: string, file: string | null): Promise<Exception[]> {
  try {
    return await readExceptions(text, file ?? "", ({ line, text: refused, expected }) => {
      const place = file === null ? "" : `${file}:${line}: `;
      throw new Failure(
        printable(`${place}${JSON.stringify(refused)} was refused: expected ${expected}`),
      );
    });
  } catch (error) {
    if (!hasName<ListSourceError>(error, "ListSourceError")) throw error;
    throw new Failure(`${file ?? JSON.stringify(text)}: ${error.message}`, { cause: error });
  }
}

/** The initial contents of an exceptions file. */
export const NO_EXCEPTIONS =
  "# Exceptions: entries that are never published, one URL, host or expression per line.\n";

export async function readExceptFiles(files: readonly string[]): Promise<Exception[]> {
  const all: Exception[] = [];
  for (const file of files) all.push(...(await exceptionsIn(await readExceptText(file), file)));
  return all;
}

/** Reads the exceptions for all lists of a store, from the file `except` or the file beside the store. */
export async function readStoreExceptions(
  files: StoreFiles,
  { except = files.exceptFile }: { readonly except?: string },
): Promise<Exception[]> {
  return readExceptFiles([except]);
}
