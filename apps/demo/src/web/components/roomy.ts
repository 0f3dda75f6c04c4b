/** On screens at least this wide, long parts of the page are unfolded at the start. */
export const ROOMY = "(min-width: 52rem)";
