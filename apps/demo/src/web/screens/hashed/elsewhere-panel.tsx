import type { VNode } from "preact";
import { Panel } from "../../components/panel.tsx";
import type { HashedMatching } from "../../model/match-hashed.ts";
import { Entries } from "./entries.tsx";
import { RefusedLines } from "./refused-lines.tsx";

/** The hashed URIs that a reader got from other publishers. */
export function ElsewherePanel({ matching }: { readonly matching: HashedMatching }): VNode | null {
  const { own, elsewhere, refusedMore, header } = matching;
  if (elsewhere.total === 0 && refusedMore.total === 0) return null;
  return (
    <Panel title="Hashed URIs from elsewhere">
      {header.variant !== undefined && (
        <p class="muted">This list says that it was made with variant {header.variant}.</p>
      )}
      <RefusedLines of="More hashed URIs" lines={refusedMore} />
      <Entries name="Hashed URIs from elsewhere" entries={elsewhere} firstIndex={own.total} />
    </Panel>
  );
}
