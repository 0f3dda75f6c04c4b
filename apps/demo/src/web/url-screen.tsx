import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { useId, useState } from "preact/hooks";
import { ListsFold } from "./components/lists-fold.tsx";
import type { useLinkedState } from "./hooks/use-linked-state.ts";
import type { ListsInUse } from "./hooks/use-lists-in-use.ts";
import { useTitle } from "./hooks/use-title.ts";
import type { PageSettings } from "./model/page-settings.ts";
import type { Values } from "./model/screens.ts";
import { AnswerCard } from "./screens/url/answer-card.tsx";
import { ExampleCard } from "./screens/url/example-card.tsx";
import { plainAnswer, type ShownAnswer, titleOf } from "./screens/url/plain-answer.ts";
import { UrlEntry } from "./screens/url/url-entry.tsx";
import { type Pasted, usePasted } from "./screens/url/use-pasted.ts";
import type { DeferredModules } from "./use-deferred-modules.ts";

interface UrlScreenProps extends Pick<ReturnType<typeof useLinkedState>, "goTo" | "showDetails"> {
  readonly values: Values<"url">;
  readonly set: (changed: Partial<Values<"url">>) => void;
  /** A file whose links are checked instead of a text. */
  readonly opened: File | null;
  readonly onFile: (file: File | null) => void;
  readonly inUse: ListsInUse;
  readonly settings: PageSettings;
  /** The modules that are loaded later; `null` while they are loading. */
  readonly later: DeferredModules | null;
  readonly listPanel: VNode | null;
}

/** The part below the field before anything is pasted. */
function Start(props: UrlScreenProps): VNode {
  const { values, inUse, goTo, showDetails, settings, later, listPanel } = props;
  const open = (u: string): void => goTo("url", { u });
  return (
    <>
      <ExampleCard lists={inUse.all} doubts={inUse.doubts} onOpen={open} />
      <div class="row folds">
        <ListsFold tab={values.tab} onTab={showDetails}>
          {listPanel}
        </ListsFold>
        {later && <later.UrlExamples onExample={open} />}
      </div>
      {later && (
        <later.GoodToKnow
          {...settings}
          lists={inUse.all}
          onLists={() => {
            showDetails("lists");
            // The lists are above the button.
            document.querySelector<HTMLElement>(".fold > summary")?.focus();
          }}
          onMany={() => goTo("many")}
        />
      )}
    </>
  );
}

interface AnswerProps extends UrlScreenProps {
  readonly pasted: Pasted;
  /** The answer if the text is one link. */
  readonly answer: ShownAnswer;
}

/** The answer about one link, or about several. */
function Answer({ pasted, answer, ...screen }: AnswerProps): VNode | null {
  const { values, opened, onFile, inUse, goTo, showDetails, settings, later } = screen;
  const { lists, doubts } = inUse;
  const { result, found } = pasted;
  const { store, reports } = settings;
  const open = (u: string): void => goTo("url", { u });
  // The link that was opened from among several.
  const [chosen, setChosen] = useState("");
  const ways = {
    onLists: () => showDetails("lists"),
    onCurrentList: store && (() => void lists.fetchFrom(store)),
  };
  if (found === null) {
    return (
      <AnswerCard
        result={result}
        answer={answer}
        inUse={inUse}
        sites={later?.SITES}
        onlyLink={
          later &&
          (pasted.only ? (
            <later.OnlyLink only={pasted.only} />
          ) : (
            chosen === values.u && <later.BackToLinks />
          ))
        }
        onMeant={open}
        onUrn={(u) => goTo("urn", { u })}
        {...ways}
        nextSteps={later && <later.NextSteps result={result} doubts={doubts} reports={reports} />}
      />
    );
  }
  return (
    later && (
      <later.FoundLinks
        found={found}
        fileName={values.u === "" ? (opened?.name ?? null) : null}
        {...ways}
        inUse={inUse}
        onOpen={(u) => {
          setChosen(u);
          open(u);
        }}
        onList={() => {
          onFile(null);
          showDetails("lists");
          void lists.add(opened!);
        }}
      />
    )
  );
}

/** The screen for a link, or for a text with links. */
export function UrlScreen(props: UrlScreenProps): VNode {
  const { values, set, onFile, inUse, goTo, showDetails, later, listPanel } = props;
  const { lists, all, doubts } = inUse;
  // A file takes the place of the text until Back is pressed.
  const file = values.u === "" ? props.opened : null;
  const pasted = usePasted(values.u, file, all, values.bytes, later);
  const { result, found, isSearching, problem } = pasted;
  const isStart = values.u.trim() === "" && file === null;
  const known = { doubts, ...later?.SITES };
  const answer = later === null ? plainAnswer(pasted, known) : later.wholeAnswer(pasted, known);
  // The badges “No link” and “Not a web link” do not mean a mistake: the text may be a telephone number, for example.
  const isOther = answer.badge.endsWith(" link");
  // Neither a defanged URL nor a text with links is a mistake.
  const isMistake =
    !isOther &&
    result.explained !== null &&
    "error" in result.explained &&
    result.meant === null &&
    found === null &&
    !isSearching;
  const errorId = useId();
  const title = found === null || later === null ? titleOf(answer) : later.foundTitle(found);
  useTitle(title === "" ? "URL" : title);
  return (
    <>
      <UrlEntry
        value={values.u}
        onChange={(u) => set({ u })}
        fileBox={file && later && <later.FileBox file={file} onRemove={() => onFile(null)} />}
        isFile={file !== null}
        onFile={onFile}
        onHtml={async (html, plain) =>
          (await import("./deferred-modules.ts")).pastedText(html, plain)
        }
        errorId={isMistake ? errorId : undefined}
      />
      {isStart ? <Start {...props} /> : <Answer {...props} pasted={pasted} answer={answer} />}
      {later !== null && values.tab !== "lists" && <later.ListNotice lists={lists} />}
      {problem !== null && (
        <p class="warning" role="alert">
          The text was not searched for links: {printable(problem)}
        </p>
      )}
      {/* While the lists are loading, there is no answer yet. It would move the details when it appears. */}
      {later !== null && !isStart && !isSearching && lists.loaded !== null && (
        <later.UrlDetails
          result={result}
          isSeveral={found !== null}
          isLink={answer.isLink}
          isOther={isOther}
          errorId={errorId}
          values={values}
          set={set}
          onTab={showDetails}
          onHashed={(u) => goTo("hashed", { u })}
          doubts={doubts}
          listPanel={listPanel}
        />
      )}
    </>
  );
}
