/** The text whose sections the canonicalization cites; Safe Browsing v4 has the same under the same names. */
export const WEB_RISK = "Web Risk, Hashing URLs";
