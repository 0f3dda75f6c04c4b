import type { VNode } from "preact";
import { CopyButton } from "../../components/copy-button.tsx";
import { Data } from "../../components/data.tsx";
import { More } from "../../components/more.tsx";
import { Panel } from "../../components/panel.tsx";
import type { ExactSpelling, HashedMatching } from "../../model/match-hashed.ts";
import type { ShownOfMany } from "../../model/shown-of-many.ts";
import { Entries } from "./entries.tsx";
import { RefusedLines } from "./refused-lines.tsx";

/** URIs that match only in their exact spelling. */
function ExactSpellings(props: { readonly of: ShownOfMany<ExactSpelling> }): VNode | null {
  const { shown, total } = props.of;
  if (total === 0) return null;
  const uris = total === 1 ? "this URI matches" : `${total.toLocaleString("en")} URIs match`;
  return (
    <div class="warning">
      <p>
        <strong>Under variant N, {uris} only the exact spelling.</strong> With and without the last
        slash, the hashes differ. Browsers write the slash; other programs may not. Publish both
        spellings.
      </p>
      <ul>
        {shown.map(({ line, uri, other }) => (
          <li key={line}>
            Line {line}: <Data text={uri} limit={100} /> does not match{" "}
            <Data text={other} limit={100} />
          </li>
        ))}
      </ul>
      <More of={props.of} where=" like these" />
    </div>
  );
}

/** The list that readers get, and the texts that were hashed for it. */
export function PublishedPanel({ matching }: { readonly matching: HashedMatching }): VNode {
  const { own, refusedUris, exactSpellings } = matching;
  return (
    <Panel
      title="Published list"
      lead="Readers see only the hashes. Anyone who guesses a URI can hash it and look for it here."
      actions={<CopyButton text={() => matching.list} what="the published list" />}
    >
      <RefusedLines of="URIs to publish" lines={refusedUris} />
      <ExactSpellings of={exactSpellings} />
      <Entries
        name="Published hashed URIs"
        entries={own}
        firstIndex={0}
        note={({ form }) => (
          <em class="muted">
            the hash of <Data text={form} limit={200} />
          </em>
        )}
      />
    </Panel>
  );
}
