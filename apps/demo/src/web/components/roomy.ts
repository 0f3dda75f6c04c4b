/** On screens at least this wide, what would make a phone scroll far is unfolded at the start. */
export const ROOMY = "(min-width: 52rem)";
