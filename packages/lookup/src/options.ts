import type { PrefixList } from "@x/prefix-list";
import { typeError } from "./type-error.ts";

/** One list or several as an array. Anything else in their place would make every URL pass as not listed. */
export function checkLists(
  argument: string,
  lists: PrefixList | readonly PrefixList[],
): readonly PrefixList[] {
  const all: unknown = lists;
  if (isPrefixList(all)) return [all];
  if (!Array.isArray(all)) throw typeError(argument, "a PrefixList or an array of them", all);
  return all.map((list, i) => {
    if (!isPrefixList(list)) throw typeError(`${argument}[${i}]`, "a PrefixList", list);
    return list;
  });
}

function isPrefixList(value: unknown): value is PrefixList {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.hasOwn(value, "tables") &&
    Array.isArray((value as PrefixList).tables)
  );
}

/** An option, if it is the object's own: what others added to every object is no option. */
export function ownOption<Options extends object, Name extends keyof Options>(
  options: Options,
  name: Name,
): Options[Name] | undefined {
  return Object.hasOwn(options, name) ? options[name] : undefined;
}
