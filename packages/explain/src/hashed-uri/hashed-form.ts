import { type HashUriOptions, hashUri } from "@x/hashed-uri";
import { inputText } from "../input.ts";
import { type Refusal, refusalOf } from "../refusal.ts";

const CAPTURE = "x-capture";
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * The text whose hash is in the hashed URI: the canonical form of a URI, without what is not kept. An input that is
 * not a URI, or bytes that are not UTF-8, give a {@link Refusal}.
 *
 * @param options those of `hashUri` of `@x/hashed-uri`. The algorithm does not matter.
 * @example
 * ```ts
 * import { hashedForm } from "@x/explain";
 *
 * hashedForm("HTTP://WWW.Thus.net:80/%61?q#end"); // → "http://www.thus.net/a"
 * hashedForm("HTTP://WWW.Thus.net/?q", { keepQuery: true }); // → "http://www.thus.net/?q"
 * hashedForm("http://www.thus.net/", { variant: "P" }); // → "http://www.thus.net"
 * ```
 * @see draft-feather-hashed-uri-03 §4.3, Appendix A
 */
export function hashedForm(
  input: string | Uint8Array,
  options: HashUriOptions = {},
): string | Refusal {
  const uri = inputText(input);
  if (typeof uri !== "string") return uri;
  let form = "";
  // The hash function of this algorithm sees what is hashed.
  const capture = (bytes: Uint8Array): Uint8Array => {
    form = decoder.decode(bytes);
    return Uint8Array.of(0);
  };
  try {
    hashUri(uri, { ...options, algorithm: CAPTURE, algorithms: { [CAPTURE]: capture } });
    return form;
  } catch (error) {
    return refusalOf(error);
  }
}
