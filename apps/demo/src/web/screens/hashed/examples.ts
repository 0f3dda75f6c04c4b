import type { Example } from "../../components/examples.tsx";
import type { Values } from "../../model/screens.ts";

const NONE = {
  alg: "sha1",
  variant: "N",
  frag: false,
  query: false,
  both: false,
  more: "",
} as const;

/** The examples of draft-feather-hashed-uri-03 §4.4, and others. */
export const HASHED_EXAMPLES: readonly Example<Partial<Values<"hashed">>>[] = [
  {
    label: "Spellings that are equal (§4.4)",
    value: {
      ...NONE,
      u: "http://www.thus.net",
      c: "HTTP://www.Thus.net\nhttp://www.thus.net:80\nhttp://www.thus.net#end\nhttp://www.thus.net/",
      more: "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481\nhashed:sha1=31a79a96e0404778a3b95cb426b04b6114a604a5+frag",
    },
  },
  {
    label: "An IP address, with MD5 (§4.4)",
    value: {
      ...NONE,
      alg: "md5",
      u: "http://10.20.30.040/%61bc",
      c: "http://10.20.30.40/abc?q\nhttp://10.20.30.40/ab",
      more: "hashed:md5=754a2c63a13aa2e8153d027066e31f8f",
    },
  },
  {
    label: "Variant P treats more as equal",
    value: {
      ...NONE,
      variant: "P",
      u: "http://www.example.com/test/",
      c: "http://www.example.com/TEST\nhttp://www.example.com:80/%74est/\nhttp://www.example.com/other/",
    },
  },
  {
    label: "Queries kept",
    value: {
      ...NONE,
      query: true,
      u: "http://example.com/page?id=7",
      c: "http://example.com/page?id=7#end\nhttp://example.com/page?id=8\nhttp://example.com/page",
    },
  },
  {
    label: "Hashes that never match",
    value: {
      ...NONE,
      u: "urn:isbn:0-395-36341-1",
      c: "URN:ISBN:0-395-36341-1\nnot a uri",
      more: "hashed:sha512=00ff\nhashed:sha1=00ff\nhashed:sha1=xyz",
    },
  },
];
