import { tryParseUrl } from "@x/canon";
import { hostRemark, isDoubtful, shortHost, toCsv } from "@x/explain";
import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { Announcement } from "../../components/announcement.tsx";
import { Data } from "../../components/data.tsx";
import { More } from "../../components/more.tsx";
import type { ListsInUse } from "../../hooks/use-lists-in-use.ts";
import type { JudgedLink, LinksFound } from "../../model/check-links-in-text.ts";
import { listsInWords } from "../../model/lists-in-words.ts";
import { registrableDomain, SITES } from "../../model/sites.ts";
import { VERDICT_CLASSES } from "../../model/verdict-classes.ts";
import { DownloadButton } from "../many/download-button.tsx";
import { Reason, RowVerdictTag } from "../many/row-table.tsx";
import { Evidence } from "./answer-card.tsx";

interface FoundLinksProps {
  readonly found: LinksFound;
  /** The name of the file that the links are in; `null` for a text. */
  readonly fileName: string | null;
  readonly inUse: ListsInUse;
  /** Opens the answer about one link. */
  readonly onOpen: (url: string) => void;
  /** Called to use the file as a list. */
  readonly onList: () => void;
  /** Called to show the lists. */
  readonly onLists: () => void;
  /** Called to get a current list; `null` if the page does not know one. */
  readonly onCurrentList: (() => void) | null;
}

const number = (n: number): string => n.toLocaleString("en");

/** The numbers of links in a few words, such as "3 links, 1 listed". */
export function foundTitle({ links: { total }, counts, chance, isBinary }: LinksFound): string {
  const { listed, disguised } = counts;
  const probably = listed > 0 && isDoubtful(chance) ? "probably " : "";
  const parts = [
    counted(total, "link", "links"),
    `${listed === 0 ? (total === 0 ? "" : "none") : number(listed)} ${probably}listed`,
    disguised === 0 ? "" : `${number(disguised)} disguised`,
  ];
  if (total === 0) return isBinary ? "Cannot read" : "No links";
  return parts.filter(Boolean).join(", ");
}

const NOT_READ =
  "Files of this kind are not read, so nothing in it was checked. Copy its text or the link and paste that, or save a mail as .eml.";

function adviceOn({ links, counts, isBinary }: LinksFound): string {
  const { total } = links;
  const { listed, disguised } = counts;
  if (total === 0) return isBinary ? NOT_READ : "There is nothing to check.";
  if (listed > 0) return "Do not open the listed ones.";
  if (disguised > 0) {
    const areLikeNewsletters = links.shown.every(
      ({ verdict, misleads, record }) =>
        verdict !== "disguised" || (misleads !== null && record.disguises?.length === 1),
    );
    return areLikeNewsletters
      ? "Do not open the disguised ones if you did not expect them. Newsletters that count clicks do this, too."
      : "Do not open the disguised ones: they are built to mislead.";
  }
  return "This does not prove that they are safe. Do not open links that you did not expect.";
}

interface FoundLinkProps {
  readonly link: JudgedLink;
  readonly chance: number;
  readonly onOpen: (url: string) => void;
}

/** A link, its verdict, and a remark on its host, because many people read only the start of a host. */
function FoundLink({ link, chance, onOpen }: FoundLinkProps): VNode {
  const { url, shown, misleads, verdict, record, hidesGoal } = link;
  const isNotListed = verdict === "not-listed" && "canonical" in record;
  const goal = isNotListed ? tryParseUrl(record.canonical ?? "") : null;
  const remark = goal && hostRemark(goal, SITES);
  const site = goal && registrableDomain(goal.host);
  const isPlain = site === null || goal!.host.replace(/^www\./, "") === site;
  return (
    <li>
      <RowVerdictTag row={record} hidesGoal={hidesGoal || remark?.code === "shortener"} />
      <div>
        <button type="button" class="open" onClick={() => onOpen(url)}>
          <span class="hidden">Explain </span>
          <Data text={url} limit={200} />
        </button>
        {/* The reasons for a disguised link already say which host its text shows. */}
        {shown !== null && (misleads === null || verdict !== "disguised") && (
          <p class="warning">The text shows {printable(shown).slice(0, 80)} instead.</p>
        )}
        {remark !== null && <p class="warning">{remark.message}</p>}
        {remark === null && hidesGoal && (
          <p class="muted">Only the service that wraps it knows where it leads.</p>
        )}
        {remark === null && !isPlain && <p class="muted">a site of {shortHost(site)}</p>}
        <Reason row={record} chance={chance} />
      </div>
    </li>
  );
}

/** The links that are shown, as a table. */
async function csvOf({ links }: LinksFound): Promise<Blob> {
  const rows = links.shown.map(({ record }, i) => ({ line: i + 1, ...record }));
  return new Blob([toCsv(rows)], { type: "text/csv" });
}

/** The links in a text or a file and the verdict on each. */
export function FoundLinks(props: FoundLinksProps): VNode {
  const { found, fileName, inUse, onOpen, onList } = props;
  const { all, doubts } = inUse;
  const { links, counts, chance, unread, isBroken, isBinary, isMessage } = found;
  const worst = counts.listed > 0 ? "listed" : counts.disguised > 0 ? "disguised" : "not-listed";
  const isUnsure = doubts.length > 0 || isBinary;
  const kind = isUnsure && worst === "not-listed" ? "doubt" : VERDICT_CLASSES[worst];
  const title = foundTitle(found);
  const isUnread = isBinary && links.total === 0;
  return (
    <section class={`stack answer ${kind}`} aria-label="Answer">
      <Announcement text={`${title}. ${adviceOn(found)}`} />
      <h2 class="sentence">
        {title}
        {fileName !== null && (
          <span class="muted">
            {" "}
            {isUnread ? "" : "in "}
            {printable(fileName).slice(0, 80)}
          </span>
        )}
      </h2>
      <p class={`verdict ${kind}`}>
        <span>{adviceOn(found)}</span>
      </p>
      {doubts.map((doubt) => (
        <p key={doubt} class="warning">
          {printable(doubt)}
        </p>
      ))}
      {isBinary && !isUnread && (
        <p class="warning">
          Files of this kind are not read as a whole: links are probably missing.
        </p>
      )}
      {isBroken && (
        <p class="warning">The structure of this mail is broken: links may be missing.</p>
      )}
      {unread.length > 0 && (
        <p class="warning">Not searched: {printable(unread.slice(0, 5).join(", "))}.</p>
      )}
      <ul class="found-links" aria-label="Links">
        {links.shown.map((link) => (
          <FoundLink key={link.url} link={link} chance={chance} onOpen={onOpen} />
        ))}
      </ul>
      <More of={links} />
      {links.total > 0 && (
        <>
          <Evidence
            {...props}
            facts={[`Looked up in ${listsInWords((all ?? []).map(({ list }) => list))}.`]}
            isLookedUp
          />
          <p class="row buttons">
            <DownloadButton label="Save as CSV" file="links.csv" content={() => csvOf(found)} />
          </p>
        </>
      )}
      {fileName !== null && !isBinary && !isMessage && (
        <p class="row">
          <span class="muted">Is it a list of dangerous sites?</span>
          <button type="button" onClick={onList}>
            Use it as a list
          </button>
        </p>
      )}
    </section>
  );
}
