/**
 * RFC 3085 §2: the provider, date, item and revision are compared. Case and the letter `A` or `U` after the
 * revision are ignored.
 */
export function newsmlRule(nss: string): string {
  const fields = nss.toLowerCase().split(":");
  if (fields.length === 4) fields[3] = fields[3]!.replace(/^([0-9]+)[au]$/, "$1");
  return fields.join(":");
}
