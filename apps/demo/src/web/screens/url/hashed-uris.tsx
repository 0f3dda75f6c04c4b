import { type HashedUriError, hashUri } from "@x/hashed-uri";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { CopyButton } from "../../components/copy-button.tsx";
import { Panel } from "../../components/panel.tsx";
import { Problem } from "../../components/problem.tsx";

const ALGORITHMS = ["sha1", "md5", "x-sha256"] as const;
const VARIANTS = ["N", "P"] as const;

interface Named {
  readonly algorithm: string;
  readonly variant: "N" | "P";
  readonly text: string;
}

function hashedUris(uri: string): readonly Named[] | HashedUriError {
  try {
    return ALGORITHMS.flatMap((algorithm) =>
      VARIANTS.map((variant) => {
        const text = hashUri(uri, { algorithm, variant, keepFragment: true, keepQuery: true });
        return { algorithm, variant, text };
      }),
    );
  } catch (error) {
    if ((error as Error).name !== "HashedUriError") throw error;
    return error as HashedUriError;
  }
}

/** The hashed URIs of the URL as it was typed. */
export function HashedUris({ uri }: { readonly uri: string }): VNode {
  const result = useMemo(() => hashedUris(uri), [uri]);
  return (
    <Panel
      title="Hashed URIs of it"
      lead="The same idea by another text: a whole URI is reduced to a canonical form of its own and hashed, here with its query and fragment. Each stands for the URI without telling it."
    >
      {"code" in result ? (
        <Problem error={result} input={result.input} />
      ) : (
        <dl class="hashed-uris">
          {result.map(({ algorithm, variant, text }) => (
            <div key={`${algorithm} ${variant}`}>
              <dt>
                {algorithm}, variant {variant}
              </dt>
              <dd>
                <code class="hash whole">{text}</code>
                <CopyButton
                  text={() => text}
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
