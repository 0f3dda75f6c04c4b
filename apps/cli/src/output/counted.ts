/** `1 prefix`, `13,752 prefixes`. */
export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
