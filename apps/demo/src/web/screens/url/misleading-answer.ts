import type { JudgedLink } from "../../model/find-links-in.ts";
import { shortHost } from "../../model/shorten.ts";
import type { ShownAnswer } from "./answer-card.tsx";

const MISLEADING = "Do not open it: text that shows another site is typical of phishing.";

/** The answer about a link, which changes if the text of the link shows another host. Then it is as loud as that about a disguised URL. */
export function misleadingAnswer(answer: ShownAnswer, only: JudgedLink | null): ShownAnswer {
  const misleads = only?.misleads ?? null;
  if (misleads === null || !answer.isLink) return answer;
  const { shows, opens } = misleads;
  const sentence = `Shows ${shortHost(shows)}. Opens ${shortHost(opens)}.`;
  const { kind, facts, meant } = answer;
  if ((meant ?? answer).kind === "listed") return { ...answer, sentence };
  const loud = { kind: "suspect", badge: "Disguised" };
  const isClear = (meant ?? answer).kind === "clear";
  // The first fact says that the verdict proves nothing.
  const others = isClear ? facts.slice(1) : facts;
  return {
    ...answer,
    ...(kind === "clear" ? loud : {}),
    sentence,
    facts: [MISLEADING, ...others],
    meant: meant && { ...meant, ...(isClear ? loud : {}), advice: MISLEADING },
  };
}
