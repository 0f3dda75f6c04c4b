import {
  displayUrn,
  formatUrn,
  normalizeUrn,
  type UrnSyntax,
  usesReservedCharacters,
} from "@x/urn";
import { checkNamespace } from "@x/urn/namespaces";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { CopyButton } from "../../components/copy-button.tsx";
import { Data } from "../../components/data.tsx";
import { Difference } from "../../components/difference.tsx";
import { Panel } from "../../components/panel.tsx";
import { Problem } from "../../components/problem.tsx";
import { readUrn } from "../../model/urn-parts.ts";
import { UrnParts } from "./urn-parts-view.tsx";

const TITLES: Readonly<Record<UrnSyntax, string>> = {
  rfc2141: "By RFC 2141",
  rfc8141: "By RFC 8141",
};

interface SyntaxColumnProps {
  readonly text: string;
  readonly syntax: UrnSyntax;
}

/** What a syntax makes of a text. */
function examine(text: string, syntax: UrnSyntax) {
  const { urn, parts, error } = readUrn(text, syntax);
  if (urn === null) return { urn, error };
  return {
    urn,
    parts,
    normal: formatUrn(normalizeUrn(urn), { syntax }),
    readable: displayUrn(urn, { syntax }).readable,
    problems: checkNamespace(urn),
  };
}

/** What one of the two texts makes of a URN. */
export function SyntaxColumn({ text, syntax }: SyntaxColumnProps): VNode {
  const examined = useMemo(() => examine(text, syntax), [text, syntax]);
  if (examined.urn === null) {
    return (
      <Panel title={TITLES[syntax]} class="refused">
        <p class="tag error">not a URN</p>
        <Problem error={examined.error} input={text} />
      </Panel>
    );
  }
  const { urn, parts, normal, readable, problems } = examined;
  return (
    <Panel title={TITLES[syntax]}>
      <p class="tag same">a URN</p>
      <UrnParts text={text} parts={parts} />
      <dl class="facts">
        <div>
          <dt>Normal form</dt>
          <dd>
            <Difference before={text} after={normal} />{" "}
            <CopyButton text={() => normal} what={`the normal form, ${TITLES[syntax]}`} />
          </dd>
        </div>
        <div>
          <dt>For people to read</dt>
          <dd>
            {readable === normal ? (
              <span class="muted">the normal form: nothing in it may be shown decoded</span>
            ) : (
              <Data text={readable} limit={400} />
            )}
          </dd>
        </div>
        <div>
          <dt>Its namespace</dt>
          <dd>
            {problems.length === 0 ? (
              <span class="muted">no known rule of “{urn.nid.toLowerCase()}” is broken</span>
            ) : (
              problems.map(({ code, message, section }) => (
                <p key={code} class="warning">
                  <code>{code}</code> {message} <span class="muted">{section}</span>
                </p>
              ))
            )}
          </dd>
        </div>
        {usesReservedCharacters(urn) && (
          <div>
            <dt>Reserved</dt>
            <dd>It uses / ? or # unescaped, which RFC 2141 §2.3.2 reserves.</dd>
          </div>
        )}
      </dl>
    </Panel>
  );
}
