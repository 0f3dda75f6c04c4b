/** A number in an IPv4 address. Resolvers accept no leading zero. */
const NUMBER = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
/** A building block for regular expressions: an IP address as in hosts files. */
export const ADDRESS_PATTERN: string = `(?:0|${NUMBER}(?:\\.${NUMBER}){3}|[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(?:%[0-9A-Za-z]+)?)`;
/** A building block for regular expressions: an address that leads nowhere, or to the machine itself. */
export const BLOCKING_PATTERN: string = `(?:0\\.0\\.0\\.0|127(?:\\.${NUMBER}){3}|0{0,4}::0{0,3}[01]?|(?:0{1,4}:){7}0{0,3}[01]|::[Ff]{4}:(?:0\\.0\\.0\\.0|127\\.0\\.0\\.1))`;
const ADDRESS = new RegExp(`^${ADDRESS_PATTERN}$`);
const BLOCKING = new RegExp(`^${BLOCKING_PATTERN}$`);

const WHOLE_TARGET = /^(?:#|\.|rpz-drop\.|0\.0\.0\.0|127\..*)$/i;

/** Whether `text` is an IP address as in hosts files. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** Whether an address leads nowhere, or to the machine itself. */
export function isBlockingAddress(address: string): boolean {
  return BLOCKING.test(address);
}

/**
 * Whether a blocking target of dnsmasq or a zone is complete, or can only be the beginning of another blocking target.
 */
export function isWholeTarget(target: string): boolean {
  return WHOLE_TARGET.test(target);
}
