import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { Announcement, Answered } from "../components/answered.tsx";
import { CopyButton } from "../components/buttons.tsx";
import { Data } from "../components/data.tsx";
import { type Example, Examples, More, Panel } from "../components/panels.tsx";
import { TextBox } from "../components/text-box.tsx";
import { useAnswer } from "../hooks/use-answer.ts";
import type { SetValues } from "../hooks/use-linked-state.ts";
import type { HashedMatching } from "../model/match-hashed.ts";
import type { Values } from "../model/screens.ts";

/** The examples of draft-feather-hashed-uri-03 §4.4, and others. */
const EXAMPLES: readonly Example<Values<"hashed">>[] = [
  {
    label: "Spellings that are equal (§4.4)",
    value: {
      u: "HTTP://www.Thus.net\nhttp://www.thus.net:80\nhttp://www.thus.net#end\nhttp://www.thus.net/",
      v: "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481\nhashed:sha1=31a79a96e0404778a3b95cb426b04b6114a604a5+frag",
    },
  },
  {
    label: "Hashes that never match",
    value: {
      u: "URN:ISBN:0-395-36341-1\nnot a uri",
      v: "hashed:sha512=00ff\nhashed:sha1=00ff\nhashed:sha1=xyz",
    },
  },
];

const MOST_ROWS = 500;

interface HashedScreenProps {
  readonly values: Values<"hashed">;
  readonly set: SetValues<"hashed">;
}

/** URIs with their hashes, and which of them are on a list of hashed URIs. */
export function HashedScreen({ values, set }: HashedScreenProps): VNode {
  const answering = useAnswer("matchHashed", values);
  return (
    <>
      <p>
        A publisher publishes only the hashes of URIs. Readers see which of their own URIs are on
        the list, and no others, unless they guess them.
      </p>
      <Examples examples={EXAMPLES} onChoose={set} />
      <div class="columns">
        <TextBox
          label="URIs, one per line"
          value={values.u}
          onChange={(u) => set({ u })}
          rows={4}
        />
        <TextBox
          label="A list of hashed URIs"
          value={values.v}
          onChange={(v) => set({ v })}
          rows={4}
        />
      </div>
      <Answered answering={answering}>{(matching) => <Matching {...matching} />}</Answered>
    </>
  );
}

function Matching({ lines, entries, useless }: HashedMatching): VNode {
  const matches = lines.filter(({ isOnList }) => isOnList).length;
  const count = `${matches.toLocaleString("en")} of ${counted(lines.length, "URI", "URIs")} on the list.`;
  const hashes = (): string =>
    lines.flatMap(({ hashed }) => (hashed === null ? [] : `${hashed}\n`)).join("");
  return (
    <Panel title="Hashed URIs">
      <Announcement text={count} />
      <p class="row">
        <span>{entries === 0 ? "The list is empty." : count}</span>
        <CopyButton text={hashes} what="the hashed URIs as a list" />
      </p>
      {useless.slice(0, MOST_ROWS).map((problem) => (
        <p key={problem} class="warning">
          {printable(problem)}
        </p>
      ))}
      <More hidden={useless.length - MOST_ROWS} />
      <ol class="stack" aria-label="URIs and their hashes">
        {lines.slice(0, MOST_ROWS).map(({ line, uri, hashed, isOnList, error }) => (
          <li key={line}>
            <Data text={uri} limit={300} />{" "}
            {error === null ? (
              <>
                <span class={`tag ${isOnList ? "match" : "none"}`}>
                  {isOnList ? "on the list" : "no match"}
                </span>
                <code class="hash">{hashed}</code>
              </>
            ) : (
              <span class="warning">{printable(error.message)}</span>
            )}
          </li>
        ))}
      </ol>
      <More hidden={lines.length - MOST_ROWS} />
    </Panel>
  );
}
