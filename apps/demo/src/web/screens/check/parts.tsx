import type { UrlExplanation } from "@x/explain";
import type { VNode } from "preact";
import { Shortened } from "../../components/data.tsx";

const ROLES = ["scheme", "host", "path", "query"] as const;
const BEFORE = { scheme: "", host: "://", path: "", query: "?" } as const;

/** The canonical URL. Each part has the colour and the underline of its role. */
export function CanonicalParts({ url }: { readonly url: UrlExplanation }): VNode {
  return (
    <p
      class="data big"
      dir="ltr"
      data-testid={url.refused === null ? "canonical" : "browser-canonical"}
    >
      {ROLES.map((role) => {
        const text = url[role];
        return (
          text !== null && (
            <span key={role}>
              {BEFORE[role]}
              <span class={`part ${role}`}>
                <Shortened text={text} limit={600} />
              </span>
            </span>
          )
        );
      })}
    </p>
  );
}
