/** Names of fields that only error reports have. */
const ERROR = /^(?:errors?|error[_-]?(?:code|message|msg|description)|fault|exception)$/i;
const SUCCESS = /^(?:ok|success)$/i;
const STATUS = /^(?:http)?[_-]?(?:status|code|status[_-]?code)$/i;
const EXPLANATION = /^(?:message|msg|detail|details|reason)$/i;
const FAILURE = /^(?:error|fail|failed|failure)$/i;
/** HTTP status codes for errors. */
const HTTP_ERROR = /^[45]\d\d$/;

/** Whether {@link reportsError} depends on a field of this name. */
export function mayReportError(name: string): boolean {
  return [ERROR, SUCCESS, STATUS, EXPLANATION].some((names) => names.test(name));
}

/** Whether a record is a server's error report. A URL in such a record leads to an explanation, and is not an entry. */
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
  // Without an explanation, the status may be the HTTP status of the listed page.
  return hasErrorStatus && isExplained;
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return !value;
}
