import type { Example } from "../../components/examples.tsx";

/** Some examples of the specifications, and others. */
export const URL_EXAMPLES: readonly Example<string>[] = [
  {
    label: "All at once",
    value: "http://User:pw@EXAMPLE.com:8080/a/%2e%2e/%2562log/./index.html?q=1#top",
  },
  {
    label: "A listed one",
    value: "HTTP://wallet@login.AZUKISHOP.live:8080/x/%2e%2e/%2561pp?id=1#top",
  },
  { label: "http://3279880203/blah", value: "http://3279880203/blah" },
  { label: "http://host/%25%32%35%25%32%35", value: "http://host/%25%32%35%25%32%35" },
  {
    label: "http://%31%36%38%2e%31%38%38…",
    value:
      "http://%31%36%38%2e%31%38%38%2e%39%39%2e%32%36/%2E%73%65%63%75%72%65/%77%77%77%2E%65%62%61%79%2E%63%6F%6D/",
  },
  {
    label: "http://host%23.com/%257Ea%2521b…",
    value:
      "http://host%23.com/%257Ea%2521b%2540c%2523d%2524e%25f%255E00%252611%252A22%252833%252944_55%252B",
  },
  { label: "http://\u0001\u0080.com/", value: "http://\u0001\u0080.com/" },
  {
    label: "TAB, CR and LF",
    value: "http://www.google.com/foo\tbar\rbaz\n2",
  },
  { label: "http://a.b.c/1/2.html?param=1", value: "http://a.b.c/1/2.html?param=1" },
  { label: "http://a.b.c.d.e.f.g/1.html", value: "http://a.b.c.d.e.f.g/1.html" },
  { label: "An international name", value: "https://www.Bücher。example/straße?q=ä" },
  { label: "An IPv6 address", value: "http://[2001:DB8:0:0:0:0:0:1]:80/" },
  {
    label: "Bidi and HTML",
    value:
      "http://example.com/\u202egnp.exe\u202c/<img src=x onerror=alert(1)>?\u200b=\u05d0\u05d1",
  },
  { label: "Not a URL", value: "mailto:someone@example.com" },
];
