import type { UrlExplanation } from "@x/explain";
import type { VNode } from "preact";
import { CopyButton } from "../../components/copy-button.tsx";
import { Panel } from "../../components/panel.tsx";

interface LeavingProps {
  readonly explained: UrlExplanation;
}

const SENT_BYTES = 4;

/** Shows the data that an online check would send. */
export function Leaving({ explained }: LeavingProps): VNode {
  const { expressions, matches } = explained;
  const sent = [...new Set(expressions.map(({ hash }) => hash.slice(0, 2 * SENT_BYTES)))];
  const onList = new Set(matches.map(({ prefix }) => prefix.slice(0, 2 * SENT_BYTES)));
  return (
    <Panel
      title="What would leave this machine"
      lead="This page sends nothing. An online check would send these 4-byte hash prefixes."
      actions={
        <CopyButton text={() => `${sent.join("\n")}\n`} what="the prefixes that would be sent" />
      }
    >
      <ul class="box row prefixes" aria-label="Prefixes that would be sent">
        {sent.map((prefix) => (
          <li key={prefix}>
            <code>{prefix}</code>
          </li>
        ))}
      </ul>
      <p>
        {sent.length * SENT_BYTES} bytes in all.{" "}
        {onList.size === 0
          ? "With the lists on this page, nothing would be sent: none of the prefixes is listed."
          : `With the lists on this page, only ${onList.size === 1 ? "one" : onList.size} would be sent, to ask whether the full hash is listed.`}{" "}
        The URL, its {expressions.length === 1 ? "expression" : "expressions"} and the other{" "}
        {32 - SENT_BYTES} bytes of each hash stay here.
      </p>
      <p class="muted">
        Many URLs share one prefix, but few share several: ten sent together hide much less than
        one. Anyone who can guess a URL can compute its hashes.
      </p>
    </Panel>
  );
}
