import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { Announcement } from "../../components/announcement.tsx";
import { Data } from "../../components/data.tsx";
import { More } from "../../components/more.tsx";
import { Panel } from "../../components/panel.tsx";
import { ErrorCode } from "../../components/problem.tsx";
import type { HashedMatching } from "../../model/match-hashed.ts";

/** Shows which of a reader's URIs are on the published list or on a list from elsewhere. */
export function MatchesPanel({ matching }: { readonly matching: HashedMatching }): VNode {
  const { candidates, matches } = matching;
  const count = `${matches.toLocaleString("en")} of ${counted(candidates.total, "candidate", "candidates")} on the list.`;
  return (
    <Panel title="Matches" lead={count}>
      <Announcement text={count} />
      <ol class="stack entries matches" aria-label="Candidates and what they match">
        {candidates.shown.map(({ line, text, index, error }) => (
          <li key={line} class="entry-row">
            {error !== null ? (
              <span class="tag error">not a URI</span>
            ) : index === null ? (
              <span class="tag none">no match</span>
            ) : (
              <span class="tag match">is #{index + 1}</span>
            )}
            <span>
              <Data text={text} limit={300} />
              {error !== null && (
                <em class="warning">
                  {printable(error.message)} <ErrorCode code={error.code} />
                </em>
              )}
            </span>
          </li>
        ))}
      </ol>
      <More of={candidates} />
    </Panel>
  );
}
