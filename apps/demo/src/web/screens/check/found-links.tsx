import { tryParseUrl } from "@x/canon";
import {
  domainSpan,
  hostRemark,
  innerText,
  isDoubtful,
  type Refusal,
  urlSummary,
} from "@x/explain";
import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Announcement, Answered } from "../../components/answered.tsx";
import { Button } from "../../components/buttons.tsx";
import { Shortened, Unbroken } from "../../components/data.tsx";
import { DownloadButton } from "../../components/files.tsx";
import { useAnswer } from "../../hooks/use-answer.ts";
import type { SetValues } from "../../hooks/use-linked-state.ts";
import type { Lists } from "../../hooks/use-lists.ts";
import type { Found } from "../../hooks/use-pasted.ts";
import { listsInWords } from "../../model/page-list.ts";
import type { Values } from "../../model/screens.ts";
import { SITES } from "../../model/sites.ts";
import { type JudgedUrl, ROW_LABELS, ROW_VERDICTS, VERDICT_CLASSES } from "../../model/verdicts.ts";
import { ask } from "../../worker-client.ts";
import type { RowsPage, ShownRow } from "../../workers/check-jobs.ts";

interface FoundLinksProps {
  readonly found: Found;
  /** The name of the file that the links are in; `null` for a text. */
  readonly fileName: string | null;
  readonly inUse: Lists;
  readonly newerList: VNode | null;
  readonly values: Values<"url">;
  readonly set: SetValues<"url">;
  readonly onOpen: (url: string) => void;
  readonly onList: () => Promise<void>;
}

const number = (n: number): string => n.toLocaleString("en");

/** What to do about the links, which is also the title of the page. The bar below it has the numbers of each verdict. */
export function foundTitle({ opened, progress, isDone }: Found): string {
  const { counts, checked } = progress;
  const [one, many] = opened.isLines ? ["line", "lines"] : ["link", "links"];
  if (!isDone) return `Checking … ${counted(checked, one!, many!)}`;
  const links = checked - counts["not-a-url"];
  if (links === 0) return opened.isBinary ? "Cannot read" : "No links";
  const bad = counts.listed + counts.disguised;
  const these = links === 1 ? "this link" : `these ${number(links)} links`;
  const which = (some: number): string => (some === links ? these : `${number(some)} of ${these}`);
  if (bad > 0) return `Do not open ${which(bad)}`;
  if (counts["cannot-tell"] > 0) return `No verdict on ${which(counts["cannot-tell"])}`;
  return links === 1 ? "This link is not listed" : `None of ${these} is listed`;
}

const NOT_READ =
  "Files of this kind are not read, so nothing in this file was checked. Copy its text or the link and paste that, or save an email as .eml.";

function adviceOn({ opened, progress }: Found): string {
  const { listed, disguised } = progress.counts;
  if (progress.checked === 0) return opened.isBinary ? NOT_READ : "There is nothing to check.";
  if (listed > 0) return "";
  if (disguised > 0) {
    return opened.mayBeNewsletter
      ? "Their text shows another site. In a newsletter that you expect, this is usual."
      : "Such disguises are typical of phishing.";
  }
  return "This does not prove that they are safe. Do not open links that you did not expect.";
}

/**
 * Why a text has no verdict. People learn more from the kind of the text than from the form that a specification
 * expects.
 */
function refusalText(url: string, refusal: Refusal): string {
  const { textKind, sentence, facts } = urlSummary(url, refusal);
  const { section, message } = refusal.error;
  return section === null || textKind === "unknown" ? message : `${sentence} ${facts[0] ?? ""}`;
}

function Reason({
  row,
  chance,
}: {
  readonly row: JudgedUrl;
  readonly chance: number;
}): VNode | null {
  if ("error" in row) return <p class="muted">{printable(refusalText(row.url, row))}</p>;
  const reasons =
    row.disguises?.map(({ message }) => message) ??
    row.matches.map(({ list, expression, confirmed, reading, inner }) =>
      [
        `${expression} is ${confirmed || !isDoubtful(chance) ? "" : "probably "}on ${list.slice(0, 60)}`,
        ...(reading === "browser" ? ["as browsers read the URL"] : []),
        ...(inner === undefined ? [] : [`inside the link: ${innerText(inner)}`]),
      ].join(", "),
    );
  if (reasons.length === 0) return null;
  return (
    <ul class="reasons">
      {reasons.map((reason) => (
        <li key={reason}>
          <Unbroken text={printable(reason)} />
        </li>
      ))}
    </ul>
  );
}

/** The address as text: it is no link, because nobody should open it. The domain that shows whose site it is is bold. */
function Address({ url }: { readonly url: string }): VNode {
  const { start, end } = domainSpan(url, SITES) ?? { start: 0, end: 0 };
  return (
    <span class="data" dir="ltr">
      <Shortened text={url.slice(0, start)} limit={80} />
      <strong>
        <Shortened text={url.slice(start, end)} limit={80} />
      </strong>
      <Shortened text={url.slice(end)} limit={200} />
    </span>
  );
}

interface RowProps {
  readonly shown: ShownRow;
  readonly chance: number;
  readonly onOpen: (url: string) => void;
}

/** A URL, its verdict, and a remark on its host, because many people read only the start of a host. */
function FoundLink({ shown: { row, verdict, link }, chance, onOpen }: RowProps): VNode {
  const isCalm = (verdict === "not-listed" || verdict === "cannot-tell") && "canonical" in row;
  const goal = isCalm ? tryParseUrl(row.canonical ?? "") : null;
  const remark = goal && hostRemark(goal, SITES);
  return (
    <li>
      <span class={`tag ${VERDICT_CLASSES[verdict]}`}>{ROW_LABELS[verdict]}</span>
      <div>
        <Address url={row.url} />
        {/* The reasons for a disguised link already say which host its text shows. */}
        {link?.shown != null && (link.misleads === null || verdict !== "disguised") && (
          <p class="warning">The text shows {printable(link.shown).slice(0, 80)} instead.</p>
        )}
        {remark !== null && <p class="warning">{remark.message}</p>}
        {remark === null && goal !== null && verdict === "cannot-tell" && (
          <p class="muted">Only the service that wraps it knows where it leads.</p>
        )}
        <Reason row={row} chance={chance} />
      </div>
      {row.bytes === undefined && (
        <button type="button" class="link open" onClick={() => onOpen(row.url)}>
          See the answer<span class="hidden"> for {printable(row.url).slice(0, 200)}</span>
        </button>
      )}
    </li>
  );
}

interface PagerProps {
  readonly shown: RowsPage;
  readonly onPage: (page: number) => void;
}

/** Says which rows are shown if they are not all, and has buttons that lead to the others. */
function Pager({ shown, onPage }: PagerProps): VNode | null {
  const { rows, total, page, pages, before } = shown;
  if (pages === 1) return null;
  return (
    <nav class="row pager" aria-label="Pages of the table">
      <span>
        {number(before + 1)}–{number(before + rows.length)} of {number(total)}
      </span>
      <Button isAvailable={page > 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <Button isAvailable={page < pages} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  );
}

/** The rows, with the parts of a bar that show only the rows of one verdict. */
function Rows({
  found,
  values,
  set,
  onOpen,
}: Omit<FoundLinksProps, "fileName" | "inUse" | "newerList">): VNode {
  const { opened, progress, isDone } = found;
  const { counts, chance } = progress;
  const { show, page } = values;
  const asked = useMemo(
    () => ({ job: opened.job, show, page }),
    // New progress means new rows, so `progress` is a dependency.
    [opened, progress, show, page],
  );
  const answering = useAnswer("rows", asked);
  const table = (): Promise<Blob> => ask("table", { job: opened.job, show });
  const present = ROW_VERDICTS.filter((verdict) => counts[verdict] > 0 || verdict === show);
  return (
    <>
      {!isDone && <progress aria-label="Progress" max={progress.total} value={progress.done} />}
      {(present.length > 1 || show !== "all") && (
        <fieldset class="row verdict-bar">
          <legend class="hidden">Show only</legend>
          {present.map((verdict) => (
            <button
              key={verdict}
              type="button"
              class={VERDICT_CLASSES[verdict]}
              aria-pressed={show === verdict}
              style={{ flexGrow: counts[verdict] }}
              onClick={() => set({ show: show === verdict ? "all" : verdict, page: 1 })}
            >
              <strong>{number(counts[verdict])}</strong> {ROW_LABELS[verdict]}
            </button>
          ))}
        </fieldset>
      )}
      <Answered answering={answering}>
        {(shown) => (
          <>
            <ul class="found-links" aria-label="Links">
              {shown.rows.map((one) => (
                <FoundLink key={one.row.line} shown={one} chance={chance} onOpen={onOpen} />
              ))}
            </ul>
            <Pager shown={shown} onPage={(page) => set({ page })} />
          </>
        )}
      </Answered>
      <p class="row">
        <DownloadButton label="Save as CSV" file="urlhash.csv" content={table} />
      </p>
    </>
  );
}

/** The links in a text or a file and the verdict on each. */
export function FoundLinks(props: FoundLinksProps): VNode {
  const { found, fileName, inUse, newerList, onList } = props;
  const { loaded, doubts } = inUse;
  const { opened, progress, isDone } = found;
  const { isLines, isBinary, isBroken, isMessage, isMail, unread } = opened;
  const { counts, checked } = progress;
  const worst = ROW_VERDICTS.find((verdict) => counts[verdict] > 0) ?? "not-listed";
  const isUnsure = doubts.length > 0 || isBinary || !isDone || worst === "cannot-tell";
  const isBad = worst === "listed" || worst === "disguised";
  const kind = isBad ? VERDICT_CLASSES[worst] : isUnsure ? "doubt" : "clear";
  const advice = adviceOn(found);
  const title = foundTitle(found);
  const isUnread = isBinary && checked === 0;
  const warnings = [
    ...doubts,
    ...(isBinary && !isUnread
      ? ["Files of this kind are not read as a whole: links are probably missing."]
      : []),
    ...(isBroken ? ["The structure of this email is broken: links may be missing."] : []),
    ...(isMail ? ["Only links were checked, not the sender."] : []),
    ...(unread.length > 0 ? [`Not searched: ${unread.slice(0, 5).join(", ")}.`] : []),
  ];
  return (
    <section class={`stack panel answer ${kind}`} aria-label="Answer" tabIndex={-1}>
      <Announcement text={`${title}. ${advice}`} />
      {advice !== "" && <p class={`verdict ${kind}`}>{advice}</p>}
      <h2 class="sentence">
        {title}
        {isUnread && fileName !== null && ` ${printable(fileName).slice(0, 80)}`}
      </h2>
      {warnings.map((warning) => (
        <p key={warning} class="warning">
          {printable(warning)}
        </p>
      ))}
      {checked > 0 && (
        <>
          <p class="muted evidence">
            Looked up in {listsInWords(loaded ?? [])}. {newerList}
          </p>
          <Rows {...props} />
        </>
      )}
      {checked > 0 && (fileName !== null || isLines) && !isBinary && !isMessage && (
        <p class="row">
          <span class="muted">Is it your own list of dangerous sites?</span>
          <button type="button" onClick={onList}>
            Use it as a list
          </button>
        </p>
      )}
    </section>
  );
}
