import { hashedForm, publishedUri } from "@x/explain";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { CopyButton } from "../../components/copy-button.tsx";
import { Data } from "../../components/data.tsx";
import { Panel } from "../../components/panel.tsx";
import { Problem } from "../../components/problem.tsx";

const VARIANTS = ["N", "P"] as const;
const ALGORITHMS = ["sha1", "md5", "x-sha256"];
const KEEP = { keepFragment: true, keepQuery: true };

interface VariantProps {
  readonly uri: string;
  readonly variant: (typeof VARIANTS)[number];
  /** The canonical form. */
  readonly form: string;
}

/** The text that one variant hashes, and the hashed URIs. */
function Variant({ uri, variant, form }: VariantProps): VNode {
  const published = useMemo(
    () =>
      ALGORITHMS.map((algorithm) => {
        const result = publishedUri(uri, { algorithm, variant, ...KEEP });
        return { algorithm, hashed: "error" in result ? "" : result.hashed };
      }),
    [uri, variant],
  );
  return (
    <>
      <p>
        Variant {variant} hashes <Data text={form} limit={400} />
      </p>
      <dl class="stack hashed-uris">
        {published.map(({ algorithm, hashed }) => (
          <div key={algorithm}>
            <dt>{algorithm}</dt>
            <dd>
              <code class="hash whole">{hashed}</code>
              <CopyButton
                text={() => hashed}
                what={`the ${algorithm} hashed URI, variant ${variant}`}
              />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** The hashed URIs of the URL as it was typed. */
export function HashedUris({ uri }: { readonly uri: string }): VNode {
  const forms = useMemo(
    () => VARIANTS.map((variant) => ({ variant, form: hashedForm(uri, { variant, ...KEEP }) })),
    [uri],
  );
  return (
    <Panel
      title="Hashed URIs of this URL"
      lead="The hashed URI draft (2002) hashes a whole URI, in a canonical form of its own. These hashes include the query and the fragment. Anyone who guesses the URI can check the guess."
    >
      {forms.map(({ variant, form }) =>
        typeof form === "string" ? (
          <Variant key={variant} uri={uri} variant={variant} form={form} />
        ) : (
          // Both variants refuse the same inputs, so the problem is shown once.
          variant === "N" && <Problem key={variant} error={form.error} input={uri} />
        ),
      )}
    </Panel>
  );
}
