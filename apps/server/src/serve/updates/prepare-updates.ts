import type { Prepare } from "../lists/list-keeper.ts";
import type { CodedUpdates } from "./coded-updates.ts";

/**
 * Makes the updates that most clients will ask for when one version of a list follows another, so that nobody waits for them:
 * the difference between the two, and the whole list in the forms in which clients got it before.
 *
 * An update that cannot be made here is made when a client asks for it.
 */
export async function prepareUpdates(
  coded: CodedUpdates,
  ...[row, before, next]: Parameters<Prepare>
): Promise<void> {
  if (before.prefixes.checksum === next.prefixes.checksum) return;
  try {
    const { since } = before.entry.manifest.contents;
    const difference = await next.differenceSince(since, before.prefixes.checksum, "");
    if (typeof difference !== "string") {
      if (row.v5 !== null) await coded.hashList(difference, row.v5);
      await coded.listUpdate(difference, true);
    }
    await coded.followUp(coded.contentsOf(before), coded.contentsOf(next));
  } catch {
    // The client that asks will get the error, if there still is one.
  }
}
