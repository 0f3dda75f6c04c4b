/** How many URLs one request of JSON may have. */
export const MAX_URLS = 1000;
export const LOOK_UP_PATH = "/lookup";
export const LOOK_UP_STATUS_PATH = "/lookup/status";
