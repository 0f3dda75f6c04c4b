import { changeText, type UrlExplanation, verdictText } from "@x/explain";
import { printable, printableInShort } from "@x/explain/printable";
import type { VNode } from "preact";
import { CopyButton } from "../../components/buttons.tsx";
import { Data } from "../../components/data.tsx";
import { Panel } from "../../components/panels.tsx";

interface HashesProps {
  readonly explained: UrlExplanation;
}

/** The readings of a URL that browsers read differently have different expressions. */
const READINGS = [
  ["both", null],
  ["specification", "As blocklist rules read the link"],
  ["browser", "As browsers read the link"],
] as const;

const SENT_BYTES = 4;

/** The expressions of a URL, each with its hash and the lists that it is on. */
function Expressions({ explained }: HashesProps): VNode {
  const { expressions, listed, matches } = explained;
  const { detail, prefixNote } = verdictText(explained);
  // The answer about a listed URL says how to get it off the lists.
  const change = listed === true ? null : changeText(explained);
  const lines = expressions.map(({ expression, hash }) => `${hash}  ${expression}\n`);
  const groups = READINGS.map(([reading, title]) => ({
    title,
    rows: expressions.filter((each) => each.reading === reading),
  }));
  return (
    <Panel
      title="Expressions and their hashes"
      lead="A list has hashes of expressions: a host or the end of one, with a path or the start of one. The link is listed if the hash of any of these is on a list. What a list has of a hash is bold."
      actions={<CopyButton text={() => lines.join("")} what="the expressions and their hashes" />}
    >
      {groups.map(({ title, rows }) => (
        <div key={title} hidden={rows.length === 0}>
          {title !== null && <h3>{title}</h3>}
          <ol class="hashes">
            {rows.map(({ expression, hash }) => {
              const own = matches.filter((match) => match.expression === expression);
              const matching = Math.max(0, ...own.map(({ prefix }) => prefix.length));
              return (
                <li key={expression}>
                  <div class="row">
                    <Data text={expression} limit={120} />
                    {own.map(({ list, checksum }) => (
                      <span key={checksum} class="tag listed">
                        {printable(list).slice(0, 60)}
                      </span>
                    ))}
                  </div>
                  <code class="hash">
                    <strong>{hash.slice(0, matching)}</strong>
                    {hash.slice(matching)}
                  </code>
                </li>
              );
            })}
          </ol>
        </div>
      ))}
      <p>{printableInShort([detail, prefixNote ?? [], change ?? []].flat().join(" "))}</p>
    </Panel>
  );
}

/** The data that an online check would send. */
function Leaving({ explained: { expressions, matches } }: HashesProps): VNode {
  const prefixOf = (hash: string): string => hash.slice(0, 2 * SENT_BYTES);
  const sent = new Set(expressions.map(({ hash }) => prefixOf(hash)));
  const onList = new Set(matches.map(({ prefix }) => prefixOf(prefix)));
  return (
    <Panel
      title="What would leave this machine"
      lead="This page sends nothing. An online check would send the first 4 bytes of each hash."
    >
      <p>
        {sent.size * SENT_BYTES} bytes in all.{" "}
        {onList.size === 0
          ? "With the lists on this page, nothing would be sent: none of the prefixes is listed."
          : `With the lists on this page, only ${onList.size === 1 ? "one prefix" : `${onList.size} prefixes`} would be sent, to ask whether the full hash is listed.`}{" "}
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

/** The hashes that are looked up, and what they would tell a server. */
export function Hashes({ explained }: HashesProps): VNode {
  return (
    <>
      <Expressions explained={explained} />
      <Leaving explained={explained} />
    </>
  );
}
