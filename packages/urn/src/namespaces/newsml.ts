import { isDigits } from "./conditions.ts";

/**
 * RFC 3085 §2: the provider, date, item and revision are compared. Case and the letter `A` or `U` after the
 * revision are ignored.
 */
export function newsmlRule(nss: string): string {
  const fields = nss.toLowerCase().split(":");
  const revision = fields[3];
  const isUpdate = (revision?.endsWith("a") || revision?.endsWith("u")) ?? false;
  if (fields.length === 4 && isUpdate && isDigits(revision!.slice(0, -1))) {
    fields[3] = revision!.slice(0, -1);
  }
  return fields.join(":");
}
