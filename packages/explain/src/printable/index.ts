export {
  isPlain,
  printable,
  printableInShort,
  printableJson,
  spellOut,
  UNSAFE_CHARACTERS,
} from "./printable.ts";
