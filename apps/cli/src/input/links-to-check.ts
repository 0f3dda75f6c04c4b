import { printable } from "@x/explain/printable";
import { leadsToSite } from "@x/links";
import type { Io } from "../context.ts";
import { partText } from "../output/link-place.ts";
import type { Input } from "../output/results.ts";
import { type LinkSearch, linksInFile, PROBLEMS, unreadText } from "./found-links.ts";
import type { OnRead } from "./read-file.ts";

/**
 * Yields the links in a file that lead to a site, as inputs. A mail whose links may be missing is a refused input.
 * Parts of mails that are not searched are reported on stderr.
 *
 * @throws {Failure} when the file cannot be read.
 */
export async function* linksToCheck(
  search: LinkSearch,
  io: Pick<Io, "stdin" | "stderr">,
  onRead: OnRead,
): AsyncGenerator<Input> {
  for await (const found of linksInFile(search, io, onRead)) {
    if (found.kind === "link") {
      const { place, link } = found;
      if (leadsToSite(link.url)) yield { place, text: link.url };
    } else if (found.kind === "unread") {
      const { unread } = found;
      const at = partText(unread.part.slice(0, -1));
      io.stderr.write(`urlhash: ${printable(`${at} ${unreadText(unread)}`.trim())}\n`);
    } else {
      const { part, code } = found;
      const place = { part, line: 1, column: 1 };
      const error = {
        code,
        message: PROBLEMS[code],
        expected: "a whole mail",
        index: null,
        section: null,
      };
      yield { place, text: "", refused: { error } };
    }
  }
}
