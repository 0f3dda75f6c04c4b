import { publishedUri } from "@x/explain";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { CopyButton } from "../../components/copy-button.tsx";
import { Panel } from "../../components/panel.tsx";
import { Problem } from "../../components/problem.tsx";

const FORMS = ["sha1", "md5", "x-sha256"].flatMap((algorithm) =>
  (["N", "P"] as const).map((variant) => ({ algorithm, variant })),
);

/** The hashed URIs of the URL as it was typed. */
export function HashedUris({ uri }: { readonly uri: string }): VNode {
  const published = useMemo(
    () =>
      FORMS.map((form) => ({
        ...form,
        result: publishedUri(uri, { ...form, keepFragment: true, keepQuery: true }),
      })),
    [uri],
  );
  const refused = published.flatMap(({ result }) => ("error" in result ? [result.error] : []));
  return (
    <Panel
      title="Hashed URIs of this URL"
      lead="The hashed URI draft (2002) hashes a whole URI, in a canonical form of its own. These hashes include the query and the fragment. Hashes of guessable URIs can be guessed."
    >
      {refused[0] !== undefined ? (
        <Problem error={refused[0]} input={uri} />
      ) : (
        <dl class="hashed-uris">
          {published.map(({ algorithm, variant, result }) => (
            <div key={`${algorithm} ${variant}`}>
              <dt>
                {algorithm}, variant {variant}
              </dt>
              <dd>
                <code class="hash whole">{"hashed" in result && result.hashed}</code>
                <CopyButton
                  text={() => ("hashed" in result ? result.hashed : "")}
                  what={`the ${algorithm} hashed URI, variant ${variant}`}
                />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  );
}
