import type { UrlExplanation } from "@x/explain";
import { printable } from "@x/explain/printable";
import type { Reading } from "@x/lookup";
import type { VNode } from "preact";
import { CopyButton } from "../../components/copy-button.tsx";
import { Hash } from "../../components/hash.tsx";
import { Panel } from "../../components/panel.tsx";
import { Select } from "../../components/select.tsx";
import { Part } from "./parts.tsx";

interface ExpressionTableProps {
  readonly explained: UrlExplanation;
  readonly prefixBytes: number;
  readonly onPrefixBytes: (bytes: number) => void;
}

const LENGTHS = Array.from({ length: 29 }, (_, i) => i + 4).map(
  (bytes) => [String(bytes), `${bytes} bytes`] as const,
);

/** The two parts of an expression. No host contains a slash. */
function divide(expression: string): [host: string, path: string] {
  const slash = expression.indexOf("/");
  return [expression.slice(0, slash), expression.slice(slash)];
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "es"}`;

interface Row {
  readonly host: string;
  readonly path: string;
  readonly reading: Reading;
}

const READERS: Readonly<Record<Reading, string>> = {
  both: "",
  specification: "specification:",
  browser: "browser:",
};

/** How many expressions there are, and why. */
function Count({ rows }: { readonly rows: readonly Row[] }): VNode {
  const own = rows.filter(({ reading }) => reading !== "browser");
  const counted = own.length === 0 ? rows : own;
  const others = rows.length - counted.length;
  const hosts = new Set(counted.map(({ host }) => host)).size;
  const paths = new Set(counted.map(({ path }) => path)).size;
  return (
    <>
      {count(hosts, "host suffix")} × {count(paths, "path prefix")} ={" "}
      <strong>{counted.length}</strong> {counted.length === 1 ? "expression" : "expressions"}
      {others > 0 && `, and ${others} more as browsers read the URL`}.
    </>
  );
}

/** Host suffixes × path prefixes, each with its hash. */
export function ExpressionTable(props: ExpressionTableProps): VNode {
  const { explained, prefixBytes, onPrefixBytes } = props;
  const { expressions, matches } = explained;
  const rows = expressions.map(({ expression, hash, reading }) => {
    const [host, path] = divide(expression);
    const lists = matches.filter((match) => match.expression === expression);
    return { expression, host, path, hash, lists, reading };
  });
  return (
    <Panel
      title="Expressions and their hashes"
      lead={
        <>
          <Count rows={rows} /> The prefix of each SHA-256 hash is looked up.
        </>
      }
      actions={
        <Select
          label="Prefix length"
          value={String(prefixBytes)}
          options={LENGTHS}
          onChange={(value) => onPrefixBytes(Number(value))}
        />
      }
    >
      <table class="expressions">
        <thead>
          <tr>
            <th scope="col" class="host-cell">
              Host suffix
            </th>
            <th scope="col">Path prefix</th>
            <th scope="col">Hash prefix, and the rest of the full hash</th>
            <th scope="col">On a list</th>
            <th scope="col">
              <span class="hidden">Copy</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ expression, host, path, hash, lists, reading }) => (
            <tr key={expression} class={lists.length > 0 ? "listed" : ""} data-reading={reading}>
              <td class="host-cell data" dir="ltr">
                <Part kind="host" text={host} limit={200} />
              </td>
              <td class="data" dir="ltr">
                <Part kind="path" text={path} limit={200} />
              </td>
              <td class="hash-cell">
                <Hash hex={hash} prefixBytes={prefixBytes} />
              </td>
              <td class="verdict-cell">
                {READERS[reading] !== "" && <span class="muted">{READERS[reading]} </span>}
                {lists.length === 0 ? (
                  <span class="muted">no</span>
                ) : (
                  <span class="tag listed">
                    {lists.map(({ list }) => printable(list).slice(0, 60)).join(", ")}
                  </span>
                )}
              </td>
              <td class="copy-cell">
                <CopyButton
                  text={() => hash}
                  what={`the full hash of ${expression.slice(0, 80)}`}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
