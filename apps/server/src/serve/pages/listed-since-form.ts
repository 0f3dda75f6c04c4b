import { describeProblem } from "@x/canon";
import { fullHash } from "@x/sha256-prefix";
import type { Answering } from "../answering.ts";
import { HttpProblem, problemOf } from "../http/http-problem.ts";
import { problemReply, type Reply } from "../http/reply.ts";
import type { PlainRequest } from "../http/request.ts";
import type { FindListedSince } from "../lists/listed-since.ts";
import { publicLists } from "../lists/private-lists.ts";
import { isListOfSafeSites } from "../lists/threat-rows.ts";
import { loadedOf, noLists } from "../lists/unavailable.ts";
import type { ConfirmedMatch } from "../look-up/confirm-matches.ts";
import { MAX_URL_BYTES } from "../look-up/limits.ts";
import { checkAnswered, lookUpUrls } from "../look-up/look-up-urls.ts";
import { perform } from "../steps.ts";
import { type FoundEntry, listedSincePage, noAnswerPage } from "./blocked-page.ts";
import { wantsPage } from "./not-found.ts";
import type { Operator } from "./operator.ts";

/** The maximum length of a form in bytes. An escape such as `%2F` takes three bytes for one byte of the URL. */
const MAX_FIELD_BYTES = 3 * MAX_URL_BYTES;

/** The address in a form. Only the first field of the form is read. */
function addressIn(body: Uint8Array): string {
  if (body.length > MAX_FIELD_BYTES) throw new HttpProblem(413, "The address is too long.");
  const [field] = Buffer.from(body).toString("latin1").split("&", 1);
  const url = new URLSearchParams(field).get("url")?.trim() ?? "";
  if (url === "") throw new HttpProblem(400, "Give the address that was blocked.");
  return url;
}

/** The entries of the matches, each only once, although both readings of a URL may have it. */
function entriesIn(matches: readonly ConfirmedMatch[]): ConfirmedMatch[] {
  return matches.filter(
    ({ list, expression }, i) =>
      matches.findIndex((each) => each.list === list && each.expression === expression) === i,
  );
}

export type AnswerListedSince = (request: PlainRequest) => Promise<Reply>;

/** Answers a person who asks how long an address has been listed. Private lists are not searched. */
export function createListedSince(
  answering: Answering,
  find: FindListedSince,
  operator: Operator,
): AnswerListedSince {
  async function answer(request: PlainRequest): Promise<Reply> {
    const network = () => request.network();
    const url = addressIn(request.body);
    if (answering.lists.all().length === 0) throw noLists();
    const lists = publicLists(answering).filter(({ row }) => !isListOfSafeSites(row));
    const caller = { key: null, network };
    const verdicts = await perform(lookUpUrls([url], { lists, answering, caller }));
    checkAnswered(verdicts);
    const { matches, error } = verdicts[0]!;
    if (error !== null && matches.length === 0) {
      const { message } =
        error.code === "too-long"
          ? { message: "The address is too long." }
          : describeProblem(url, error);
      throw new HttpProblem(400, message);
    }
    const found: FoundEntry[] = [];
    for (const { list, expression } of entriesIn(matches)) {
      const since = await find(loadedOf(list), fullHash(expression), network);
      found.push({ list: list.name, expression, ...since });
    }
    return listedSincePage(url, found, operator, answering.now());
  }

  return async (request) => {
    try {
      return await answer(request);
    } catch (error) {
      const problem = problemOf(error);
      if (problem === null || !wantsPage(request)) return problemReply("blocked.since", error);
      return noAnswerPage(problem.status, problem.message, operator);
    }
  };
}
