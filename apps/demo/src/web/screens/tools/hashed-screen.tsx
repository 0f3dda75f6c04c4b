import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Announcement, Answered } from "../../components/answered.tsx";
import { CopyButton } from "../../components/buttons.tsx";
import { Checkbox, Select } from "../../components/controls.tsx";
import { Data } from "../../components/data.tsx";
import { type Example, Examples, More, Panel } from "../../components/panels.tsx";
import { ErrorCode } from "../../components/problem.tsx";
import { TextBox } from "../../components/text-box.tsx";
import { useAnswer } from "../../hooks/use-answer.ts";
import { fieldsOf, type SetValues } from "../../hooks/use-linked-state.ts";
import type { HashedLines, HashedMatching } from "../../model/match-hashed.ts";
import type { Values } from "../../model/screens.ts";

const NONE = { alg: "sha1", variant: "N", frag: false, query: false } as const;

/** The examples of draft-feather-hashed-uri-03 §4.4, and others. */
const EXAMPLES: readonly Example<Partial<Values<"hashed">>>[] = [
  {
    label: "Spellings that are equal (§4.4)",
    value: {
      ...NONE,
      u: "HTTP://www.Thus.net\nhttp://www.thus.net:80\nhttp://www.thus.net#end\nhttp://www.thus.net/",
      more: "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481\nhashed:sha1=31a79a96e0404778a3b95cb426b04b6114a604a5+frag",
    },
  },
  {
    label: "An IP address, with MD5 (§4.4)",
    value: {
      ...NONE,
      alg: "md5",
      u: "http://10.20.30.040/%61bc\nhttp://10.20.30.40/abc?q\nhttp://10.20.30.40/ab",
      more: "hashed:md5=754a2c63a13aa2e8153d027066e31f8f",
    },
  },
  {
    label: "Hashes that never match",
    value: {
      ...NONE,
      u: "URN:ISBN:0-395-36341-1\nnot a uri",
      more: "hashed:sha512=00ff\nhashed:sha1=00ff\nhashed:sha1=xyz",
    },
  },
];

const ALGORITHMS = [
  ["sha1", "sha1: all readers know it"],
  ["md5", "md5: most readers know it"],
  ["x-sha256", "x-sha256: for private use"],
] as const;

const VARIANTS = [
  ["N", "N: treats few URIs as equal"],
  ["P", "P: treats more URIs as equal"],
] as const;

interface HashedScreenProps {
  readonly values: Values<"hashed">;
  readonly set: SetValues<"hashed">;
}

/** URIs with their hashes, and which of them are on a list of hashed URIs. */
export function HashedScreen({ values, set }: HashedScreenProps): VNode {
  const { u, more, alg, variant, frag, query } = values;
  const asked = useMemo(
    (): HashedLines => ({
      uris: u,
      list: more,
      options: { algorithm: alg, variant, keepFragment: frag, keepQuery: query || undefined },
    }),
    [u, more, alg, variant, frag, query],
  );
  const answering = useAnswer("matchHashed", asked);
  const field = fieldsOf(values, set);
  return (
    <>
      <p class="intro">
        A publisher hashes URIs and publishes only the hashes. Readers check which of their own URIs
        are on the list. They do not see the other URIs, but anyone who guesses a URI can check
        whether it is on the list.
      </p>
      <Examples examples={EXAMPLES} onChoose={set} />
      <div class="columns">
        <TextBox label="URIs, one per line" {...field("u")} rows={4} />
        <TextBox
          label="A list of hashed URIs"
          {...field("more")}
          rows={4}
          hint="A comment such as “# hashed-uri variant: P” sets the variant of the list."
        />
      </div>
      <div class="row controls">
        <Select label="Algorithm" {...field("alg")} options={ALGORITHMS} />
        <Select label="Variant" {...field("variant")} options={VARIANTS} />
        <Checkbox label="Keep the fragment (+frag)" {...field("frag")} />
        <Checkbox label="Keep the query (+query)" {...field("query")} />
      </div>
      <Answered answering={answering}>{(matching) => <Matching {...matching} />}</Answered>
    </>
  );
}

function Matching({ uris, published, matches, entries, useless, header }: HashedMatching): VNode {
  const count = `${matches.toLocaleString("en")} of ${counted(uris.total, "URI", "URIs")} on the list.`;
  const tag = (isOnList: boolean): VNode => (
    <span class={`tag ${isOnList ? "match" : "none"}`}>
      {isOnList ? "on the list" : "no match"}
    </span>
  );
  return (
    <Panel
      title="Hashed URIs"
      lead={count}
      actions={<CopyButton text={() => published} what="the hashed URIs as a list" />}
    >
      <Announcement text={count} />
      {header.variant !== undefined && (
        <p class="muted">The list says that it was made with variant {header.variant}.</p>
      )}
      {useless.shown.map(({ line, reason }) => (
        <p key={line} class="warning">
          Line {line} of the list: {printable(reason)}
        </p>
      ))}
      <More of={useless} where=" like these" />
      <ol class="stack entries" aria-label="URIs and their hashes">
        {uris.shown.map(({ line, uri, hashed, form, isOnList, error }) => (
          <li key={line} class="entry-row">
            {error !== null ? (
              <span class="tag error">not a URI</span>
            ) : entries > 0 ? (
              tag(isOnList)
            ) : (
              <span class="muted">line {line}</span>
            )}
            <span>
              <Data text={uri} limit={300} />
              {error !== null && (
                <em class="warning">
                  {printable(error.message)} <ErrorCode code={error.code} />
                </em>
              )}
              {hashed !== null && (
                <>
                  <code class="hash whole">{hashed}</code>
                  <em class="muted">
                    the hash of <Data text={form} limit={200} />
                  </em>
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
      <More of={uris} />
    </Panel>
  );
}
