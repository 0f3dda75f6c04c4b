import { annotateUrl, urlReport } from "@x/explain";
import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { useId, useState } from "preact/hooks";
import type { NamedLink } from "../../../page-settings.ts";
import { CopyButton } from "../../components/buttons.tsx";
import { DownloadButton } from "../../components/files.tsx";
import { pictureOf } from "../../model/share-picture.ts";
import { SITES } from "../../model/sites.ts";
import type { UrlResult } from "../../model/url-result.ts";
import { factsOf, type ShownAnswer, titleOf } from "./plain-answer.ts";

interface NextStepsProps {
  readonly result: UrlResult;
  readonly answer: ShownAnswer;
  /** Sentences that say which lists are missing or out of date. */
  readonly doubts: readonly string[];
  /** The places for reports that the operator of the page has set; empty for the usual places. */
  readonly reports: readonly NamedLink[];
  /** What the owner of a listed site can do; `null` if no list has the site. */
  readonly getOff: VNode | null;
}

const PLACES: readonly NamedLink[] = [
  {
    href: "https://safebrowsing.google.com/safebrowsing/report_phish/",
    name: "Google Safe Browsing",
  },
  { href: "https://www.microsoft.com/wdsi/support/report-unsafe-site", name: "Microsoft" },
  { href: "https://apwg.org/reportphishing/", name: "APWG (against phishing)" },
];

const ADVICE = [
  "Only looked at the page? Close it. That is usually enough.",
  "Typed a password? Change it now, on the real site, and wherever else you use it.",
  "Gave a card number or a bank login? Call the bank, at the number on the card.",
  "Entered a recovery phrase, or signed in a wallet? Move what is left to a new wallet now.",
  "Opened or installed a file? Take the device off the network, and ask for help.",
  "At work or at school? Tell the people who look after your computers. There is no shame in it.",
];

/** The report without links to click, and the places that take reports. */
function Report({ result, doubts, reports }: Omit<NextStepsProps, "answer" | "getOff">): VNode {
  const { input, explained, looksLike, meant, restored, inner } = result;
  const known = { doubts, ...SITES };
  const report = (format: "text" | "markdown") => (): string =>
    inner === null
      ? urlReport(input, explained!, { ...known, format, looksLike, meant, restored })
      : urlReport(inner.found.url, inner.explained, { ...known, format });
  return (
    <>
      <p class="row report">
        <span>A report without links to click, for a ticket or a message:</span>
        <CopyButton text={report("text")} what="as plain text" label="Copy report" />
        <CopyButton text={report("markdown")} what="report" label="Copy as Markdown" />
      </p>
      <p class="row report">
        <span>Places that take reports:</span>
        {(reports.length > 0 ? reports : PLACES).map(({ href, name }) => (
          <a key={href} href={href} rel="noreferrer">
            {printable(name)}
          </a>
        ))}
      </p>
    </>
  );
}

export function Advice(): VNode {
  return (
    <ul class="stack advice">
      {ADVICE.map((advice) => (
        <li key={advice}>{advice}</li>
      ))}
    </ul>
  );
}

const CLICKED = "I already clicked it";
const OWNER = "Is this your site?";
const BY_RULES = "No list has this site. A fixed rule about how links are written warns of it.";

/** Steps after the answer: help for people who have opened the link, a report, and a picture of the answer. */
export function NextSteps(props: NextStepsProps): VNode | null {
  const { result, answer } = props;
  const { input, explained } = result;
  const id = useId();
  const [shown, setShown] = useState("");
  const shownKind = (answer.meant ?? answer).kind;
  const isBad = /^(?:listed|suspect)$/.test(shownKind);
  const getOff = props.getOff ?? (shownKind === "suspect" ? <p>{BY_RULES}</p> : null);
  // If nothing is wrong, the buttons are as quiet as the card.
  const kind = isBad ? undefined : "quiet";
  if (explained === null) return null;
  const picture = (): Promise<Blob> => {
    const parts = "error" in explained ? [] : annotateUrl(input, explained, SITES);
    const typed =
      parts.length > 0 ? parts : [{ text: input, role: "other", imitating: null } as const];
    const [advice = "", ...facts] = factsOf(answer);
    const about = { advice, sentence: answer.sentence, reason: facts.join(" ") };
    return pictureOf({ kind: shownKind, badge: titleOf(answer), ...about, parts: typed });
  };
  const toggle = (name: string, look: string | undefined): VNode => (
    <button
      type="button"
      class={look}
      aria-expanded={shown === name}
      aria-controls={id}
      onClick={() => setShown(shown === name ? "" : name)}
    >
      {name}
    </button>
  );
  return (
    <div class="stack next-steps">
      <div class="row">
        {toggle(CLICKED, kind)}
        {toggle("Report", kind)}
        <DownloadButton
          label={"canShare" in navigator ? "Share" : "Save picture"}
          file="link.png"
          content={picture}
          class={kind}
          isShared
        />
        {getOff !== null && toggle(OWNER, kind)}
      </div>
      <div id={id} hidden={shown === "" && !isBad}>
        {shown === "" && isBad && <p>{ADVICE[0]}</p>}
        {shown === CLICKED && <Advice />}
        {shown === "Report" && <Report {...props} />}
        {shown === OWNER && getOff}
      </div>
    </div>
  );
}
