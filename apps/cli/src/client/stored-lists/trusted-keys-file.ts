import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { failTo, replaceFile } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import { checkPublicKey } from "@x/list-store";
import { ifThere } from "@x/list-store/node";
import type { Context } from "../../context.ts";

/** The file beside a list that contains the list's URL and the public keys that the user trusted first. */
const TRUSTED = "trusted.json";

/**
 * Reads the trusted keys of a list. Returns `null` when no keys are stored. When the stored keys are not valid, writes
 * a warning and returns `"damaged"`.
 *
 * @throws {Failure} when the file cannot be read.
 */
export async function readTrustedKeys(
  folder: string,
  { stderr }: Pick<Context, "stderr">,
): Promise<readonly string[] | "damaged" | null> {
  const file = join(folder, TRUSTED);
  const text = await ifThere(readFile(file, "utf8")).catch(failTo(`read ${printable(file)}`));
  if (text === null) return null;
  try {
    const { publicKeys } = JSON.parse(text) as { readonly publicKeys: string[] };
    publicKeys.forEach(checkPublicKey);
    if (publicKeys.length > 0) return publicKeys;
  } catch {
    // The damage is reported below.
  }
  await stderr.write(`urlhash: warning: ${printable(file)} is damaged: it is ignored\n`);
  return "damaged";
}

/**
 * Stores the trusted keys of a list in an existing folder.
 *
 * @throws {Failure} when the keys cannot be written.
 */
export async function keepTrustedKeys(
  folder: string,
  url: string,
  publicKeys: readonly string[],
): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify({ url, publicKeys }, null, 2)}\n`);
  await replaceFile(join(folder, TRUSTED), bytes, null).catch(
    failTo(`write to ${printable(folder)}`),
  );
}
