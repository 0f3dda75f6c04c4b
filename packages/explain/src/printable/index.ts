export { printable, printableInShort } from "./printable.ts";
export { printableJson } from "./printable-json.ts";
export { isPlain, spellOut, UNSAFE_CHARACTERS } from "./unsafe-characters.ts";
