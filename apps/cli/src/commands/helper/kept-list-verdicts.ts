import type { ClientError, ClientVerdict, UpdateEnd } from "@x/client";
import { printableInShort } from "@x/explain/printable";
import { matchLine, reasonText } from "../../check/client-verdicts.ts";
import type { ServerOptions } from "../../client/open-client.ts";
import { clientErrorText, openClient, serverListWarnings } from "../../client/open-client.ts";
import { updateProblems } from "../../client/update-lists.ts";
import type { Context } from "../../context.ts";
import { type HelperVerdict, unreadableReason, type VerdictSource } from "./verdict.ts";

function verdictOf({ verdict, matches, confirmed, reason, error }: ClientVerdict): HelperVerdict {
  if (verdict === "safe") return { kind: "not-listed" };
  if (verdict === "unsafe") {
    return { kind: "listed", reason: printableInShort(matchLine(matches[0]!, confirmed)) };
  }
  if (reason === "url-invalid" || reason === "url-undecided") {
    return { kind: "unreadable", reason: unreadableReason(error!.code) };
  }
  const text = reasonText(reason!, error as ClientError | null);
  return { kind: "unchecked", reason: printableInShort(text) };
}

/**
 * Gives verdicts from the lists of a server and keeps these lists up to date. The server learns only hash prefixes that
 * are on a list. The verdict is `unchecked` when lists are missing or too old, and when the server does not confirm a
 * match.
 *
 * @param timeout the longest pause in an answer from the server, in milliseconds.
 * @param tell writes a line when a list could not be brought up to date, is empty or does not exist, when URLs cannot
 * be checked, and when they can be checked again.
 * @throws {Failure} when an option is wrong, or the folder or a file of keys cannot be read.
 */
export async function keptListVerdicts(
  options: ServerOptions,
  timeout: number,
  context: Context,
  tell: (line: string) => void,
): Promise<VerdictSource> {
  let told: readonly string[] = [];
  let problem: string | null = null;

  /** Reports new problems with the lists. */
  function tellLists(end: UpdateEnd | null): void {
    const found = [
      ...updateProblems(end ?? { result: null, error: null })
        .filter(({ code }) => code !== "list-unknown")
        .map(
          (error) =>
            `the lists could not be brought up to date: ${clientErrorText(error, options)}`,
        ),
      ...serverListWarnings(client.status(), options),
    ];
    for (const text of found) if (!told.includes(text)) tell(text);
    told = found;
  }

  const { client } = await openClient(options, context, {
    timeout,
    updates: { onUpdate: tellLists },
  });
  tellLists(null);

  function tellProblem(found: string | null): void {
    if (found === problem) return;
    problem = found;
    tell(found ?? "all URLs are checked again");
  }

  // `onUpdate` reports the errors of this update.
  if (client.status().isDue) client.update().catch(() => {});
  client.start();

  return {
    async verdictsOn(urls) {
      const verdicts: HelperVerdict[] = [];
      for await (const verdict of client.checkMany(urls)) verdicts.push(verdictOf(verdict));
      const unchecked = verdicts.find(({ kind }) => kind === "unchecked");
      if (unchecked !== undefined && "reason" in unchecked) tellProblem(unchecked.reason);
      else if (verdicts.length > 0) tellProblem(null);
      return verdicts;
    },
    close() {
      void client.stop();
    },
  };
}
