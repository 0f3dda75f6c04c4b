import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { RowsPage } from "../workers/check-jobs.ts";
import { Button } from "./button.tsx";

interface PagerProps {
  readonly shown: RowsPage;
  readonly onPage: (page: number) => void;
}

const number = (n: number): string => n.toLocaleString("en");

/** Says which rows are shown, and has buttons that lead to other rows. */
export function Pager({ shown, onPage }: PagerProps): VNode {
  const { rows, total, page, pages, before } = shown;
  /** The page number that is being typed, which stays while rows arrive. */
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <nav class="row pager" aria-label="Pages of the table">
      <span>
        {total === 0
          ? "No rows"
          : `${number(before + 1)}–${number(before + rows.length)} of ${number(total)}`}
      </span>
      {pages > 1 && (
        <>
          <Button isAvailable={page > 1} onClick={() => onPage(page - 1)}>
            Previous
          </Button>
          <span class="row control">
            <label for="page-number">Page</label>
            <input
              id="page-number"
              type="number"
              min={1}
              max={pages}
              value={typed ?? page}
              onInput={(event) => setTyped(event.currentTarget.value)}
              onBlur={() => setTyped(null)}
              onChange={(event) => {
                const chosen = Math.trunc(event.currentTarget.valueAsNumber);
                const valid = Number.isNaN(chosen) ? page : Math.min(Math.max(chosen, 1), pages);
                setTyped(null);
                onPage(valid);
              }}
            />
            <span>of {number(pages)}</span>
          </span>
          <Button isAvailable={page < pages} onClick={() => onPage(page + 1)}>
            Next
          </Button>
        </>
      )}
    </nav>
  );
}
