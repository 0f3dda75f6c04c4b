import {
  hasMeaning,
  meaningOfRecord,
  type RecordMeaning,
} from "../formats/parts/record-verdicts.ts";
import type { PathStep } from "./path.ts";
import { fieldsOf, recordOf, scanJson } from "./scan.ts";
import type { JsonVisitor } from "./visitor.ts";

/** The step from a record to the entries further inside, as from `[]` in `[].page.url`; `null` at other places. */
export type StepInside<At> = (at: At) => PathStep | null;

/**
 * Returns a function for the meaning of the records around a value: `{ "verdict": "benign", "page": { "url": … } }`
 * also says what the URL is. The function takes the indices of values in ascending order.
 */
export function meaningAround<At>(
  text: string,
  { root, member, element }: Pick<JsonVisitor<At>, "root" | "member" | "element">,
  stepInside: StepInside<At>,
): (index: number) => RecordMeaning | null {
  const found: { readonly start: number; readonly end: number; readonly meaning: RecordMeaning }[] =
    [];
  scanJson<At>(text, {
    root,
    member,
    element,
    keeps: (at, name) => (stepInside(at) ?? name) !== name && hasMeaning(name),
    scalar() {},
    object(at, object) {
      const step = stepInside(at);
      if (step === null || object.members.size === 0) return;
      // If any member may contain entries, objects say nothing about the record.
      const fields = typeof step === "string" ? fieldsOf(text, object) : recordOf(object);
      const own = Object.entries(fields).filter(([name]) => name !== step);
      const meaning = meaningOfRecord(own, "");
      if (meaning !== null) found.push({ start: object.start, end: object.end, meaning });
    },
  });
  found.sort((a, b) => a.start - b.start);
  let next = 0;
  return (index) => {
    while (next < found.length && found[next]!.end <= index) next++;
    const record = found[next];
    return record !== undefined && record.start <= index ? record.meaning : null;
  };
}
