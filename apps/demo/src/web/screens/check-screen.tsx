import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { useId, useState } from "preact/hooks";
import type { PageSettings } from "../../page-settings.ts";
import { PUBLISHER, YEAR } from "../../phishing-list/about.ts";
import { Examples, ListsFold } from "../components/panels.tsx";
import type { useLinkedState } from "../hooks/use-linked-state.ts";
import type { Lists } from "../hooks/use-lists.ts";
import { type Pasted, usePasted } from "../hooks/use-pasted.ts";
import { useTitle } from "../hooks/use-pending.ts";
import { FIRST_EXAMPLE, type Values } from "../model/screens.ts";
import type { DeferredModules } from "../use-deferred-modules.ts";
import { AnswerCard } from "./check/answer-card.tsx";
import { ExampleCard, URL_EXAMPLES } from "./check/examples.tsx";
import { plainAnswer, type ShownAnswer, titleOf } from "./check/plain-answer.ts";
import { UrlEntry } from "./check/url-entry.tsx";

interface CheckScreenProps extends Pick<ReturnType<typeof useLinkedState>, "goTo"> {
  readonly values: Values<"url">;
  readonly set: (changed: Partial<Values<"url">>) => void;
  readonly opened: File | null;
  readonly onFile: (file: File | null) => void;
  readonly inUse: Lists;
  readonly settings: PageSettings;
  /** The modules that are loaded later; `null` while they are loading. */
  readonly later: DeferredModules | null;
  readonly listPanel: VNode | null;
}

/** Moves the focus to a panel that is about to be shown. */
function focusLater(panel: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(panel)?.focus());
}

function Start(props: CheckScreenProps): VNode {
  const { values, set, inUse, goTo, settings, later, listPanel } = props;
  const open = (u: string): void => goTo("url", { u });
  const showCode = (): void => {
    goTo("url", { u: FIRST_EXAMPLE, tab: "code" });
    focusLater("#detail-code .panel");
  };
  return (
    <>
      <ExampleCard lists={inUse.loaded} doubts={inUse.doubts} onOpen={open} />
      <div class="folds">
        <details class="fold">
          <summary>I already clicked it</summary>
          {later && <later.Advice />}
        </details>
        <Examples examples={URL_EXAMPLES} title="More examples" onChoose={open} />
        <ListsFold tab={values.tab} onTab={(tab) => set({ tab })}>
          {listPanel}
        </ListsFold>
      </div>
      <dl class="start-facts">
        <div>
          <dt>Not listed is not safe</dt>
          <dd>
            Built-in list: {PUBLISHER}’s, {YEAR}.
          </dd>
          <dd>Short links are not followed.</dd>
        </div>
        <div>
          <dt>For developers</dt>
          <dd>TypeScript, shell, HTTP, JSON.</dd>
          <dd>
            <button type="button" class="link" onClick={showCode}>
              See the code (MIT license)
            </button>
          </dd>
        </div>
        <div>
          <dt>Is your site listed?</dt>
          <dd>Paste it to see which entry lists it, and who decides.</dd>
        </div>
        <div>
          <dt>For operators</dt>
          <dd class="row">
            <a href={settings.documents ?? "./readme.txt"} rel="noreferrer">
              Host it, or filter mail and proxies.
            </a>
          </dd>
        </div>
      </dl>
    </>
  );
}

interface AnswerProps extends CheckScreenProps {
  readonly pasted: Pasted;
  /** The answer if the text is one link. */
  readonly answer: ShownAnswer;
}

/** The card about one link, or the rows about several. */
function Answer({ pasted, answer, ...screen }: AnswerProps): VNode | null {
  const { values, set, opened, onFile, inUse, goTo, settings, later } = screen;
  const { result, found, only, isMail } = pasted;
  const open = (u: string): void => goTo("url", { u });
  const showLists = (): void => {
    set({ tab: "lists" });
    focusLater(".lists");
  };
  const newerList = later && (
    <later.NewerList inUse={inUse} settings={settings} onLists={showLists} />
  );
  // The link that was opened from among several.
  const [chosen, setChosen] = useState("");
  const about = result.inner?.explained ?? result.explained;
  const fileName = values.u === "" ? (opened?.name ?? null) : null;
  if (found === null) {
    return (
      <AnswerCard
        result={result}
        answer={answer}
        sites={later?.SITES}
        onMeant={open}
        onTool={(name) =>
          name === "urn"
            ? goTo("urn", { u: result.input.trim() })
            : goTo("hashed", { v: result.input })
        }
        nextSteps={
          later && (
            <later.NextSteps
              result={result}
              answer={answer}
              doubts={inUse.doubts}
              reports={settings.reports}
              getOff={
                about !== null && "listed" in about && about.listed === true ? (
                  <later.GetOffLists explained={about} lists={inUse.loaded ?? []} />
                ) : null
              }
            />
          )
        }
        newerList={newerList}
      >
        {only !== null && (
          <p class="only muted">
            The only link in {fileName === null ? "this text" : printable(fileName).slice(0, 80)}.
            {isMail && " The sender was not checked."}
          </p>
        )}
        {only === null && chosen !== "" && chosen === values.u && (
          <p class="row">
            <button type="button" class="link" onClick={() => history.back()}>
              Back to all links
            </button>
          </p>
        )}
      </AnswerCard>
    );
  }
  return (
    later && (
      <later.FoundLinks
        found={found}
        fileName={fileName}
        inUse={inUse}
        newerList={newerList}
        values={values}
        set={set}
        onOpen={(u) => {
          setChosen(u);
          open(u);
        }}
        onList={async () => {
          // A pasted text is whole, so its last line may have no end. Back returns to the text.
          const isText = fileName === null;
          const file = isText ? new File([values.u, "\n"], "your list") : opened!;
          if (!(await inUse.add(file, isText ? "Your list" : file.name))) return;
          onFile(null);
          goTo("url", { u: "", tab: "lists" });
        }}
      />
    )
  );
}

/** The screen for a link, a text with links, or a file of URLs. */
export function CheckScreen(props: CheckScreenProps): VNode {
  const { values, set, onFile, inUse, later, listPanel } = props;
  const { loaded, doubts } = inUse;
  // A file takes the place of the text until Back is pressed.
  const file = values.u === "" ? props.opened : null;
  const pasted = usePasted(values.u, file, loaded, later);
  const { result, found, isSearching, problem } = pasted;
  const isStart = values.u.trim() === "" && file === null;
  const known = { doubts, ...later?.SITES };
  const answer = later === null ? plainAnswer(pasted, known) : later.wholeAnswer(pasted, known);
  const { textKind } = answer;
  // Only these texts were probably meant as URLs. A telephone number, for example, is not a mistake.
  const isMistaken = textKind === "url" || textKind === "unknown";
  const isRefused = result.explained !== null && "error" in result.explained;
  const isMistake = isMistaken && isRefused && found === null && !isSearching;
  const errorId = useId();
  const title = found === null || later === null ? titleOf(answer) : later.foundTitle(found);
  useTitle(title === "" ? "Check" : title);
  return (
    <>
      <UrlEntry
        value={values.u}
        onChange={(u) => set({ u, show: "all", page: 1 })}
        fileBox={file && later && <later.FileBox file={file} onRemove={() => onFile(null)} />}
        isFile={file !== null}
        onFile={onFile}
        errorId={isMistake ? errorId : undefined}
      />
      {isStart ? <Start {...props} /> : <Answer {...props} pasted={pasted} answer={answer} />}
      {later !== null && values.tab !== "lists" && <later.ListNotice inUse={inUse} />}
      {problem !== null && (
        <p class="warning" role="alert">
          Nothing was checked: {printable(problem)}
        </p>
      )}
      {/* While the lists are loading, there is no answer yet. It would move the details when it appears. */}
      {later !== null && !isStart && !isSearching && loaded !== null && (
        <later.UrlDetails
          {...props}
          result={result}
          answer={answer}
          isHidden={found !== null || !(isMistaken || answer.isLink)}
          errorId={errorId}
          doubts={doubts}
          listPanel={listPanel}
        />
      )}
    </>
  );
}
