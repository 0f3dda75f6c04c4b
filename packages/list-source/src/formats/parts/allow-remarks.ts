import { ALLOWED_PATTERN, LONGEST_HEADING, saysAllowed } from "./allow-headings.ts";

/** Matches a comment after an entry that begins by saying that the entry is allowed: `# false positive, see below`. */
const REMARK_ALLOWED = new RegExp(
  `^\\W*(?:(?:ok|okay|removed)\\W+)?(?:${ALLOWED_PATTERN}|ok|okay|fp|not[-_ ](?:malicious|phishing|malware|spam))(?:\\W*$|\\s*[,;:(]|\\s+[\u2013\u2014-]|\\s+(?:until|since|by|for|on|per|removed|requested|[0-9])).*$`,
  "i",
);

/** Whether a comment after an entry says that the entry is allowed. */
export function remarkAllows(comment: string): boolean {
  return (
    saysAllowed(comment) || (comment.length <= LONGEST_HEADING && REMARK_ALLOWED.test(comment))
  );
}
