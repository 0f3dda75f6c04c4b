import type { UrlExplanation } from "@x/explain";
import type { VNode } from "preact";
import { CopyButton } from "../../components/copy-button.tsx";
import { Data } from "../../components/data.tsx";
import { Panel } from "../../components/panel.tsx";

interface LeavingProps {
  readonly input: string;
  readonly explained: UrlExplanation;
}

const SENT_BYTES = 4;

/** Shows the data that an online check would send and those that it would not. */
export function Leaving({ input, explained }: LeavingProps): VNode {
  const { canonical, expressions, matches } = explained;
  const sent = [...new Set(expressions.map(({ hash }) => hash.slice(0, 2 * SENT_BYTES)))];
  const onList = new Set(matches.map(({ prefix }) => prefix.slice(0, 2 * SENT_BYTES)));
  return (
    <Panel
      title="What would leave this machine"
      lead="This page sends nothing. An online check would send 4-byte hash prefixes. Many URLs share one prefix, but few share several: ten sent together hide much less than one. Anyone who can guess a URL can compute its hashes."
    >
      <div class="columns leaving">
        <div class="box stack sent">
          <h3>
            Would be sent{" "}
            <CopyButton
              text={() => `${sent.join("\n")}\n`}
              what="the prefixes that would be sent"
            />
          </h3>
          <ul class="row prefixes" aria-label="Prefixes that would be sent">
            {sent.map((prefix) => (
              <li key={prefix}>
                <code>{prefix}</code>
              </li>
            ))}
          </ul>
          <p class="muted">
            {sent.length * SENT_BYTES} bytes in all.{" "}
            {onList.size === 0
              ? "With the lists on this page, nothing would be sent: none of the prefixes is listed."
              : `With the lists on this page, only ${onList.size === 1 ? "one" : onList.size} would be sent, to ask whether the full hash is listed.`}
          </p>
        </div>
        <div class="box stack kept">
          <h3>Stays here</h3>
          <dl class="stack">
            <dt>the URL as typed</dt>
            <dd>
              <Data text={input} limit={120} />
            </dd>
            <dt>its canonical form</dt>
            <dd>
              <Data text={canonical} limit={120} />
            </dd>
            <dt>
              {expressions.length === 1
                ? "the expression"
                : `all ${expressions.length} expressions`}
            </dt>
            <dd>
              <Data text={expressions[0]!.expression} limit={80} />
              {expressions.length > 1 && " …"}
            </dd>
            <dt>the rest of each full hash</dt>
            <dd>{32 - SENT_BYTES} of 32 bytes</dd>
          </dl>
        </div>
      </div>
    </Panel>
  );
}
