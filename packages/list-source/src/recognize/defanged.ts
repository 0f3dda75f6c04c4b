/** The `found` of a `ListSourceError` for a source of defanged URLs, which can be read with the option `refang`. */
export const DEFANGED_URLS: string = "defanged URLs";
