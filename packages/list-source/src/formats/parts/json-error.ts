/** Fields of a record that reports an error. */
const ERROR = /^(?:errors?|error[_-]?(?:code|message|msg|description)|fault|exception)$/i;
const SUCCESS = /^(?:ok|success)$/i;
const STATUS = /^(?:http)?[_-]?(?:status|code|status[_-]?code)$/i;
const EXPLANATION = /^(?:message|msg|detail|details|reason)$/i;
const FAILURE = /^(?:error|fail|failed|failure)$/i;
/** HTTP status codes for errors. */
const HTTP_ERROR = /^[45]\d\d$/;

/** Whether a record is a server's error report. If so, its URL leads to an explanation. */
export function reportsError(record: Readonly<Record<string, unknown>>): boolean {
  let hasErrorStatus = false;
  let isExplained = false;
  for (const [name, value] of Object.entries(record)) {
    if (ERROR.test(name) && !isEmpty(value)) return true;
    if (SUCCESS.test(name) && value === false) return true;
    if (STATUS.test(name) && (typeof value === "string" || typeof value === "number")) {
      if (FAILURE.test(`${value}`)) return true;
      hasErrorStatus ||= HTTP_ERROR.test(`${value}`);
    }
    isExplained ||= EXPLANATION.test(name) && !isEmpty(value);
  }
  // An HTTP status alone may be that of the listed page.
  return hasErrorStatus && isExplained;
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return !value;
}
