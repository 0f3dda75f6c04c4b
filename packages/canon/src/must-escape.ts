import { DELETE, NUMBER_SIGN, PERCENT, SPACE } from "./ascii.ts";

/** Whether an octet is escaped ("To canonicalize the path", last paragraph). */
export function mustEscape(octet: number): boolean {
  return octet <= SPACE || octet >= DELETE || octet === NUMBER_SIGN || octet === PERCENT;
}
