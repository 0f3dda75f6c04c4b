import type { Example } from "../../components/examples.tsx";
import { FIRST_EXAMPLE } from "../../model/first-example.ts";

/** Examples from the specifications, and others. */
export const URL_EXAMPLES: readonly Example<string>[] = [
  { label: "Spoofed host", value: FIRST_EXAMPLE },
  { label: "Address as a number", value: "http://3279880203/blah" },
  { label: "Defanged", value: "hxxps://login[.]azukishop[.]live/wallet" },
  { label: "Look-alike letters", value: "https://\u0430pple.com/login" },
  {
    label: "Listed site in disguise",
    value: "HTTP://wallet@login.AZUKISHOP.live:8080/x/%2e%2e/%2561pp?id=1#top",
  },
  {
    label: "Every step",
    value: "http://User:pw@EXAMPLE.com:8080/a/%2e%2e/%2562log/./index.html?q=1#top",
  },
  { label: "Only a browser opens it", value: "https:azukishop.live" },
  {
    label: "Escapes in escapes",
    value:
      "http://host%23.com/%257Ea%2521b%2540c%2523d%2524e%25f%255E00%252611%252A22%252833%252944_55%252B",
  },
  {
    label: "TAB, CR and LF",
    value: "http://www.google.com/foo\tbar\rbaz\n2",
  },
  { label: "Eight expressions", value: "http://a.b.c/1/2.html?param=1" },
  { label: "Many labels", value: "http://a.b.c.d.e.f.g/1.html" },
  { label: "International name", value: "https://www.Bücher。example/straße?q=ä" },
  { label: "IPv6 address", value: "http://[2001:DB8:0:0:0:0:0:1]:80/" },
  {
    label: "Hidden characters and HTML",
    value:
      "http://example.com/\u202egnp.exe\u202c/<img src=x onerror=alert(1)>?\u200b=\u05d0\u05d1",
  },
  { label: "Not a URL", value: "mailto:someone@example.com" },
];
