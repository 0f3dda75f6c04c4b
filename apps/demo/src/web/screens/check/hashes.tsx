import type { UrlExplanation } from "@x/explain";
import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { CopyButton } from "../../components/buttons.tsx";
import { Select } from "../../components/controls.tsx";
import { Data, Hash } from "../../components/data.tsx";
import { Panel } from "../../components/panels.tsx";
import { type Cell, cellsOf, type Lattice, latticesOf } from "../../model/lattice.ts";
import { LatticeGrid } from "./lattice-grid.tsx";

interface ExpressionsPanelProps {
  readonly explained: UrlExplanation;
  readonly prefixBytes: number;
  readonly onPrefixBytes: (bytes: number) => void;
}

const LENGTHS = Array.from({ length: 29 }, (_, i) => i + 4).map(
  (bytes) => [String(bytes), `${bytes} bytes`] as const,
);

function captionOf({ hosts, paths, reading }: Lattice, isAlone: boolean): string {
  const total = hosts.length * paths.length;
  const suffixes = counted(hosts.length, "host suffix", "host suffixes");
  const prefixes = counted(paths.length, "path prefix", "path prefixes");
  const sum = `${suffixes} × ${prefixes} = ${counted(total, "expression", "expressions")}`;
  if (isAlone) return sum;
  return `${reading === "browser" ? "As browsers read it" : "As the specification reads it"}: ${sum}`;
}

function Readout(props: { readonly cell: Cell; readonly prefixBytes: number }): VNode {
  const { expression, hash, lists } = props.cell;
  return (
    <p class="box row readout" data-testid="readout">
      <Data text={expression} limit={120} />
      <Hash hex={hash} prefixBytes={props.prefixBytes} />
      <CopyButton text={() => hash} what={`the full hash of ${expression.slice(0, 80)}`} />
      {lists.length === 0 ? (
        <span class="muted">on no list</span>
      ) : (
        <span class="tag listed">
          {lists.map((list) => printable(list).slice(0, 60)).join(", ")}
        </span>
      )}
    </p>
  );
}

/** The expressions of a URL (host suffixes × path prefixes), each with its hash. */
export function ExpressionsPanel(props: ExpressionsPanelProps): VNode {
  const { explained, prefixBytes, onPrefixBytes } = props;
  const { cells, lattices } = useMemo(() => {
    const cells = cellsOf(explained);
    return { cells, lattices: latticesOf(explained, cells) };
  }, [explained]);
  const [chosen, setChosen] = useState<string | null>(null);
  const current =
    cells.find(({ expression }) => expression === chosen) ??
    cells.find(({ lists }) => lists.length > 0) ??
    cells[0]!;
  return (
    <Panel
      title="Expressions and their hashes"
      lead="An entry of a list is the hash of one of these expressions. Entries further down or to the right cover more. Point at a cell to see its hash."
      actions={
        <Select
          label="Prefix length"
          value={String(prefixBytes)}
          options={LENGTHS}
          onChange={(value) => onPrefixBytes(Number(value))}
        />
      }
    >
      <div class="row lattices">
        {lattices.map((lattice) => (
          <LatticeGrid
            key={lattice.reading}
            lattice={lattice}
            caption={captionOf(lattice, lattices.length === 1)}
            current={current}
            onCurrent={({ expression }) => setChosen(expression)}
          />
        ))}
      </div>
      <Readout cell={current} prefixBytes={prefixBytes} />
    </Panel>
  );
}

const SENT_BYTES = 4;

/** Shows the data that an online check would send. */
export function Leaving({ explained }: { readonly explained: UrlExplanation }): VNode {
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
