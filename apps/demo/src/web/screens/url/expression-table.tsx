import type { Reading } from "@x/lookup";
import type { VNode } from "preact";
import { CopyButton } from "../../components/copy-button.tsx";
import { Hash } from "../../components/hash.tsx";
import type { Cell } from "../../model/lattice.ts";
import { OnLists } from "./on-lists.tsx";
import { Part } from "./parts.tsx";

interface ExpressionTableProps {
  readonly cells: readonly Cell[];
  readonly prefixBytes: number;
}

const READERS: Readonly<Record<Reading, string>> = {
  both: "",
  specification: "specification:",
  browser: "browser:",
};

/** All expressions with their full hashes, one below the other. */
export function ExpressionTable({ cells, prefixBytes }: ExpressionTableProps): VNode {
  return (
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
        {cells.map(({ expression, host, path, hash, lists, reading }) => (
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
              <OnLists lists={lists} none="no" />
            </td>
            <td class="copy-cell">
              <CopyButton text={() => hash} what={`the full hash of ${expression.slice(0, 80)}`} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
