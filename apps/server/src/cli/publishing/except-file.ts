import { printable } from "@x/explain/printable";
import { type Exception, readExceptions } from "../../publish/exceptions.ts";
import { readRegularFile } from "../../storage/regular-file.ts";
import { Failure } from "../failure.ts";
import type { StoreFiles } from "../store-files.ts";

/** The text of a file of exceptions; `null` when there is no file. */
export async function readExceptText(file: string): Promise<string | null> {
  try {
    const bytes = await readRegularFile(file, `The file ${file} of exceptions`);
    if (bytes === null) throw new Failure(`The file ${file} of exceptions is a directory`);
    return bytes.toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/**
 * The exceptions in a file, or in an argument if `file` is `null`. A line that cannot be read is an error: otherwise,
 * what it stands for would be blocked.
 */
export async function exceptionsIn(text: string, file: string | null): Promise<Exception[]> {
  return readExceptions(text, file ?? "", ({ line, text: refused, expected }) => {
    const place = file === null ? "" : `${file}:${line}: `;
    throw new Failure(
      printable(`${place}${JSON.stringify(refused)} was refused: expected ${expected}`),
    );
  });
}

/** The exceptions of a store; none when there is no file, unless it was named. */
export async function readStoreExceptions(
  files: StoreFiles,
  { except }: { readonly except?: string },
): Promise<Exception[]> {
  const file = except ?? files.exceptFile;
  const text = await readExceptText(file);
  if (text === null && except !== undefined) {
    throw new Failure(`The file ${file} of exceptions does not exist`);
  }
  return text === null ? [] : exceptionsIn(text, file);
}
