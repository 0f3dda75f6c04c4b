import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Answered } from "../../components/answered.tsx";
import { Examples } from "../../components/examples.tsx";
import { TextBox } from "../../components/text-box.tsx";
import { useAnswer } from "../../hooks/use-answer.ts";
import { useDebouncedText } from "../../hooks/use-debounced-text.ts";
import { fieldsOf, type SetValues } from "../../hooks/use-linked-state.ts";
import { areSame } from "../../model/explain-urns.ts";
import type { Values } from "../../model/screens.ts";
import { EquivalencePanel } from "./equivalence-panel.tsx";
import { URN_EXAMPLES } from "./examples.ts";
import { FoundPanel } from "./found-panel.tsx";
import { SyntaxColumn } from "./syntax-column.tsx";

const BY_2141 = "By RFC 2141";

interface UrnScreenProps {
  readonly values: Values<"urn">;
  readonly set: SetValues<"urn">;
}

/** URNs: their parts, whether two are the same, and where they are in a text. */
export function UrnScreen({ values, set }: UrnScreenProps): VNode {
  const urn = useDebouncedText(values.u);
  const other = useDebouncedText(values.v);
  const asked = useMemo(() => ({ u: urn, v: other }), [urn, other]);
  const answering = useAnswer("explainUrns", asked);
  const field = fieldsOf(values, set);
  return (
    <>
      <div class="stack entry">
        <Examples examples={URN_EXAMPLES} onChoose={set} />
        <div class="columns">
          <TextBox label="URN" {...field("u")} rows={2} isWrapped />
          <TextBox label="Compare it with" {...field("v")} rows={2} isWrapped />
        </div>
      </div>
      <p class="intro">
        RFC 8141 (2017) replaced RFC 2141 (1997) and allows more characters. Choose RFC 8141 for new
        names, and RFC 2141 if older software must read them.
      </p>
      <Answered answering={answering}>
        {({ rfc2141, rfc8141 }, { u, v }) => (
          <>
            <EquivalencePanel rfc2141={rfc2141} rfc8141={rfc8141} first={u} second={v} />
            {areSame(rfc2141.u, rfc8141.u) ? (
              <SyntaxColumn text={u} title={`${BY_2141} and RFC 8141`} explained={rfc8141.u} />
            ) : (
              <div class="columns">
                <SyntaxColumn text={u} title={BY_2141} explained={rfc2141.u} />
                <SyntaxColumn text={u} title="By RFC 8141" explained={rfc8141.u} />
              </div>
            )}
          </>
        )}
      </Answered>
      <FoundPanel values={values} set={set} />
    </>
  );
}
