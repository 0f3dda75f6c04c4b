import { hashPrefix, toHex } from "@x/sha256-prefix";
import type { VNode } from "preact";
import { CopyButton } from "../../components/copy-button.tsx";
import { Data } from "../../components/data.tsx";
import { Panel } from "../../components/panel.tsx";
import type { UrlAnalysis } from "../../model/analyze-url.ts";

interface LeavingProps {
  readonly input: string;
  readonly analysis: UrlAnalysis;
}

const SENT_BYTES = 4;

/** What an online check would send beside what it would not. */
export function Leaving({ input, analysis }: LeavingProps): VNode {
  const { url, hashes, matches } = analysis;
  const sent = [...new Set(hashes.map(({ hash }) => toHex(hashPrefix(hash, SENT_BYTES))))];
  const onList = new Set(matches.map(({ prefix }) => prefix.slice(0, 2 * SENT_BYTES)));
  const octets = sent.length * SENT_BYTES;
  const restBytes = 32 - SENT_BYTES;
  return (
    <Panel
      title="What would leave this machine"
      lead="This page sends nothing. An online check would send 4-byte prefixes, each of which stands for countless URLs:"
    >
      <div class="leaving">
        <div class="sent">
          <h3>
            Would be sent{" "}
            <CopyButton
              text={() => `${sent.join("\n")}\n`}
              what="the prefixes that would be sent"
            />
          </h3>
          <ul class="prefixes" aria-label="Prefixes that would be sent">
            {sent.map((prefix) => (
              <li key={prefix}>
                <code>{prefix}</code>
              </li>
            ))}
          </ul>
          <p class="muted">
            {octets} octets in all.{" "}
            {onList.size === 0
              ? "With the lists on this page at hand not even these: none of them is listed."
              : `With the lists on this page at hand only ${onList.size === 1 ? "one" : onList.size} of them, to ask whether the full hash is meant.`}
          </p>
        </div>
        <div class="kept">
          <h3>Stays here</h3>
          <dl>
            <dt>the URL as typed</dt>
            <dd>
              <Data text={input} limit={120} />
            </dd>
            <dt>its canonical form</dt>
            <dd>
              <Data text={url.href} limit={120} />
            </dd>
            <dt>{hashes.length === 1 ? "the expression" : `all ${hashes.length} expressions`}</dt>
            <dd>
              <Data text={hashes[0]!.expression} limit={80} />
              {hashes.length > 1 && " …"}
            </dd>
            <dt>the rest of each full hash</dt>
            <dd>
              {restBytes} of 32 octets, {8 * restBytes} of 256 bits
            </dd>
          </dl>
        </div>
      </div>
    </Panel>
  );
}
