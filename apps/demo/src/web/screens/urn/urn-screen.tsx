import type { VNode } from "preact";
import { Examples } from "../../components/examples.tsx";
import { TextBox } from "../../components/text-box.tsx";
import type { SetValue } from "../../hooks/use-linked-state.ts";
import { useSettled } from "../../hooks/use-settled.ts";
import type { Values } from "../../model/screens.ts";
import type { WorkerClient } from "../../worker-client.ts";
import { EquivalencePanel } from "./equivalence-panel.tsx";
import { URN_EXAMPLES } from "./examples.ts";
import { FoundPanel } from "./found-panel.tsx";
import { SyntaxColumn } from "./syntax-column.tsx";

interface UrnScreenProps {
  readonly values: Values<"urn">;
  readonly set: SetValue<"urn">;
  readonly worker: WorkerClient;
}

/** URNs: their parts, whether two are the same, and where they are in a text. */
export function UrnScreen({ values, set, worker }: UrnScreenProps): VNode {
  const urn = useSettled(values.u);
  const other = useSettled(values.v);
  const choose = ({ u, v }: { readonly u: string; readonly v: string }): void => {
    set("u", u);
    set("v", v);
  };
  return (
    <>
      <div class="columns">
        <TextBox
          label="URN"
          value={values.u}
          rows={2}
          isWrapped
          onChange={(value) => set("u", value)}
        />
        <TextBox
          label="Compare it with"
          value={values.v}
          rows={2}
          isWrapped
          onChange={(value) => set("v", value)}
        />
      </div>
      <Examples examples={URN_EXAMPLES} onChoose={choose} />
      <EquivalencePanel a={urn} b={other} />
      <div class="columns">
        <SyntaxColumn text={urn} syntax="rfc2141" />
        <SyntaxColumn text={urn} syntax="rfc8141" />
      </div>
      <FoundPanel values={values} set={set} worker={worker} />
    </>
  );
}
