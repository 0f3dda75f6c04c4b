import { PREFIX_BYTES } from "@x/list-store/serving";
import type { Prepare } from "../lists/refresh-lists.ts";
import { v5NameOf } from "../lists/threat-rows.ts";
import type { CodedUpdates } from "./coded-updates.ts";
import { offeredPrefixes } from "./offered-prefixes.ts";

/**
 * Makes the updates that most clients will ask for after a new version of a list, so that no client waits for them: the
 * difference from the previous version, and the whole list in the forms in which clients got it before.
 *
 * An update that cannot be made here is made when a client asks for it.
 */
export async function prepareUpdates(
  coded: CodedUpdates,
  ...[before, next]: Parameters<Prepare>
): Promise<void> {
  for (const prefixBytes of [
    PREFIX_BYTES,
    ...(next.longer ?? []).map((each) => each.prefixBytes),
  ]) {
    try {
      const [from, to] = [before, next].map((list) => offeredPrefixes(list, prefixBytes, coded));
      const { since, checksum } = from!.version;
      if (checksum === to!.version.checksum) continue;
      const difference = await to!.differenceSince(since, checksum, "");
      if (typeof difference !== "string") {
        const name = v5NameOf(next.row, prefixBytes);
        if (name !== null) await coded.hashList(difference, name);
        // Clients of v4 and Web Risk cannot ask for longer prefixes.
        if (prefixBytes === PREFIX_BYTES) await coded.listUpdate(difference, true);
      }
      await coded.followUp(from!.contents, to!.contents);
    } catch {
      // A client that asks for the update gets the error, if it occurs again.
    }
  }
}
