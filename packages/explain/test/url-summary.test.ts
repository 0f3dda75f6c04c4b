import { readFileSync } from "node:fs";
import { parseUrl } from "@x/canon";
import {
  annotateUrl,
  domainSpan,
  explainUrl,
  type UrlExplanation,
  urlReport,
  urlSummary,
  verdictText,
} from "@x/explain";
import { imitations } from "@x/links/look-alikes";
import { prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unicodeHost } from "../src/url/hosts.ts";

interface Vector {
  readonly url: string;
  /** The expressions on the list; `null` when there is no list. */
  readonly listed: readonly string[] | null;
  readonly looksLike?: string;
  readonly meant?: string;
  readonly doubts?: readonly string[];
  readonly verdict: string;
  readonly badge: string;
  readonly sentence: string;
  readonly isDisguised?: boolean;
  /** The kind of the text; `"url"` by default. */
  readonly textKind?: string;
}

const OTHER = "other.example/";

function listOf(expressions: readonly string[], prefixBytes = 8) {
  const hashes = [OTHER, ...expressions].map(fullHash);
  return prefixList(hashes, { name: "phishing", prefixBytes, created: Date.UTC(2026, 0, 2) });
}

function explained(url: string, listed: readonly string[] | null, looksLike?: string) {
  if (looksLike !== undefined) {
    const error = { code: "space", message: "", expected: "a URL", index: null, section: null };
    return { error };
  }
  return explainUrl(url, listed === null ? [] : [listOf(listed)]);
}

describe("a summary", () => {
  const file = new URL("vectors/url-summary.json", import.meta.url);
  const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: Vector[] };
  test.each(cases)("$url, listed: $listed", ({ url, listed, ...expected }) => {
    const { looksLike, meant, doubts, ...others } = expected;
    const summary = urlSummary(url, explained(url, listed, looksLike), {
      looksLike,
      meant,
      doubts,
      restored: meant === undefined ? null : explained(meant, listed),
    });
    expect(summary).toMatchObject({ textKind: "url", isDisguised: false, ...others });
    // The first fact about a disguised URL is a warning.
    if (summary.isDisguised && others.verdict === "not-listed") {
      expect(summary.facts[0]).toBe("Do not open it: such a disguise is typical of phishing.");
    }
    // Only a text that is certainly not listed may be called "not on this list".
    if (others.verdict !== "not-listed")
      expect(summary.sentence).not.toMatch(/not on (?:this|these) list/);
  });

  describe("of a host that begins with the name of another site", () => {
    /** Returns the registrable domain as the Public Suffix List defines it. */
    const registrableDomain = (host: string) =>
      /[^.]+\.(?:co\.uk|com\.br|s3\.amazonaws\.com|cdn\.cloudflare\.net|[^.]+)$/.exec(host)?.[0] ??
      null;
    const sentenceOn = (host: string) => {
      const url = `https://${host}/a`;
      return urlSummary(url, explained(url, []), { registrableDomain }).sentence;
    };

    test.each([
      ["login.microsoftonline.com.session-89a.evil.top", "login.microsoftonline.com", "evil.top"],
      ["www.paypal.com.account-verify.example", "www.paypal.com", "account-verify.example"],
      ["paypal.com.evil.co.uk", "paypal.com", "evil.co.uk"],
      ["paypal.com-login.example", "paypal.com", "com-login.example"],
      ["www.paypal.com-login.a.evil.example", "www.paypal.com", "evil.example"],
      ["online.bank.co.uk.evil.example", "online.bank.co.uk", "evil.example"],
      ["www.sparkasse.de.evil.example", "www.sparkasse.de", "evil.example"],
      ["www.gov.uk.evil.example", "www.gov.uk", "evil.example"],
      ["paypal.com.com.evil.com.br", "paypal.com.com", "evil.com.br"],
      // The sentence is true for a content delivery network, too, and does not change the verdict.
      ["www.example.com.cdn.example.net", "www.example.com", "example.net"],
    ])("%s", (host, leading, site) => {
      expect(sentenceOn(host)).toBe(`Begins like ${leading}, but opens a site of ${site}.`);
    });

    test.each([
      "example.com",
      "www.example.com",
      "com.example.net",
      "www.com.example.net",
      "a.b.c.d.example.com",
      "www.example.com.br",
      "www.example.com.example.com",
      "www.com-unity.example",
      "example.com.s3.amazonaws.com",
      "www.example.com.cdn.cloudflare.net",
      "www-example-com.translate.example",
      "web.archive.example.org",
      "api.dev.example.com",
      "my.app.example.com",
      "git.corp.int.example.com",
      "srv1.net.example.edu",
      "news.info.example.com",
      "shop.eu.example.com",
      "a.b.us.example.com",
      "de.wikipedia.org",
    ])("%s", (host) => {
      expect(sentenceOn(host)).toBe(`Opens ${host}.`);
    });

    test("the verdict stays the same, and so do the restored URL and the report", () => {
      const url = "https://www.paypal.com.evil.example/";
      const options = { registrableDomain };
      const summary = urlSummary(url, explained(url, []), options);
      expect(summary).toMatchObject({ badge: "Not on this list", isDisguised: false });
      const said = "egins like www.paypal.com, but opens a site of evil.example.";
      const listed = urlSummary(url, explained(url, ["evil.example/"]), options);
      expect(listed).toMatchObject({ badge: "Listed", sentence: `B${said}` });
      const meant = { meant: url, restored: explained(url, []), ...options };
      const defanged = "hxxps://www[.]paypal[.]com[.]evil[.]example/";
      expect(urlSummary(defanged, explained(defanged, [], "defanged"), meant).sentence).toBe(
        `Defanged. Restored, it b${said}`,
      );
      expect(urlReport(url, explained(url, []), options)).toMatch(/^Begins like www\[\.\]paypal/);
      // Without the registrable domain, it is unknown where the name of the site starts.
      expect(urlSummary(url, explained(url, [])).sentence).toMatch(/^Opens www\.paypal\.com\.evil/);
    });
  });

  describe("of a host where anyone can publish", () => {
    const options = {
      registrableDomain: (host: string) =>
        /[^.]+\.(?:s3\.amazonaws\.com|pages\.dev|[^.]+)$/.exec(host)?.[0] ?? null,
      sharedDomain: (host: string) =>
        /(?<=\.)(?:amazonaws\.com|pages\.dev)$/.exec(host)?.[0] ?? null,
    };
    const on = (url: string, listed: readonly string[] = []) =>
      urlSummary(url, explained(url, listed), options);

    test("says so, also if it begins like another site", () => {
      for (const [host, shared] of [
        ["www.paypal.com.s3.amazonaws.com", "amazonaws.com"],
        ["www.paypal.com.pages.dev", "pages.dev"],
        ["www.paypal.com.evil.pages.dev", "pages.dev"],
      ]) {
        const { sentence, badge } = on(`https://${host}/login.html`);
        expect(sentence).toBe(
          `Begins like www.paypal.com, but is a page at ${shared}, where anyone can publish.`,
        );
        expect(badge).toBe("Not on this list");
      }
      const { sentence, facts } = on("https://alice.pages.dev/");
      expect(sentence).toBe("Opens alice.pages.dev.");
      expect(facts[1]).toBe("A page at pages.dev, where anyone can publish.");
    });

    test("also if the service has one host for all", () => {
      for (const host of ["sites.google.com", "docs.google.com", "forms.gle"]) {
        const { sentence, facts } = on(`https://${host}/view/paypal`);
        expect(sentence).toBe(`Opens ${host}.`);
        expect(facts).toContain(`A page at ${host}, where anyone can publish.`);
      }
      expect(on("https://www.google.com/").facts.join(" ")).not.toContain("publish");
    });

    test("its parts show who runs the end of its name", () => {
      const partsOf = (url: string) => {
        const answer = explainUrl(url, []);
        return "error" in answer ? [] : annotateUrl(url, answer, options);
      };
      const host = (url: string) => partsOf(url).find(({ role }) => role === "host")!;
      const part = host("https://www.paypal.com.s3.amazonaws.com/a");
      expect(part.text.slice(part.domainStart)).toBe("amazonaws.com");
      expect(part.note).toMatch(/, at amazonaws\.com\. Anyone can publish there, with any name/);
      expect(host("https://forms.gle/a").note).toMatch(/forms\.gle\. Anyone can publish there\.$/);
      const own = host("https://www.alice.pages.dev/");
      expect(own.text.slice(own.domainStart)).toBe("alice.pages.dev");
    });
  });

  test("its parts say what is the reader’s own, and what is a password", () => {
    const noteOf = (url: string, role: string) => {
      const answer = explainUrl(url, []);
      const parts = "error" in answer ? [] : annotateUrl(url, answer);
      return parts.find((part) => part.role === role)?.note;
    };
    for (const url of ["http://localhost:3000/", "http://127.0.0.1/", "http://[::1]/"])
      expect(noteOf(url, "host")).toMatch(/ It is a program on your own device\.$/);
    for (const url of ["http://192.168.0.1/", "http://10.1.2.3/", "http://nas.local/"])
      expect(noteOf(url, "host")).toMatch(
        / It is a device in your own network, such as a router\.$/,
      );
    expect(noteOf("http://192.169.0.1/", "host")).not.toContain("your own");
    expect(noteOf("https://jane:x@example.org/", "user")).toContain("password");
    expect(noteOf("https://jane@example.org/", "user")).toBeNull();
    expect(noteOf("https://bit.ly/a", "host")).toContain("a link shortener");
  });

  test("a host in its own letters", () => {
    expect(unicodeHost("xn--mnchen-3ya.de")).toBe("münchen.de");
    expect(unicodeHost("xn--mgbh0fb.xn--kgbechtv")).toBe("مثال.إختبار");
    for (const host of ["example.com", "xn--pple-43d.com", "xn--80ak6aa92e.com"])
      expect(unicodeHost(host)).toBeNull();
    // These names have accents that people hardly see, or a letter that looks like a slash.
    for (const name of ["mícrosoft.com", "paypaĺ.com", "good.example⁄a.evil.example"])
      expect(unicodeHost(parseUrl(`http://${name}/`).host)).toBeNull();
  });

  test("says what a bare IP address means, but not of one at home", () => {
    const remark = "Real firms rarely link to a bare IP address.";
    const factsOf = (url: string) => urlSummary(url, explained(url, [])).facts;
    for (const url of ["http://195.127.0.11/a", "http://[2001:db8::1]/"])
      expect(factsOf(url)).toContain(remark);
    for (const url of ["http://192.168.1.1/", "http://[::1]/", "http://1.example/"])
      expect(factsOf(url)).not.toContain(remark);
  });

  test("a disguised or listed email address gets no words about a link", () => {
    const options = { imitations: imitations({ registrableDomain: (host) => host }) };
    const on = (text: string, listed: readonly string[] = []) =>
      urlSummary(text, explained(text, listed), options);
    expect(on("service@paypa1.com")).toMatchObject({
      textKind: "harmful",
      verdict: "not-a-url",
      badge: "Disguised",
      sentence: "Looks like an address at paypal.com, but is not.",
      facts: [
        "Do not answer it: such a disguise is typical of phishing.",
        "Did you mean paypal.com?",
      ],
      isDisguised: true,
    });
    for (const link of ["mailto:service@paypa1.com", " MAILTO:service@paypa1.com?subject=a@b "]) {
      expect(on(link)).toEqual(on("service@paypa1.com"));
      expect(on(link, ["evil.example/"])).toEqual(on("service@paypa1.com"));
    }
    expect(on("service@paypal.com").textKind).toBe("no-link");
    expect(on("mailto:service@paypal.com?subject=x")).toEqual(on("service@paypal.com"));
    expect(on("www.paypal.com@evil.example")).toMatchObject({
      textKind: "url",
      sentence: "Looks like paypal.com. Opens evil.example.",
    });
    const listed = on("a@evil.example", ["evil.example/"]);
    expect(listed.sentence).toBe("This is an email address at evil.example.");
    expect(listed.facts[0]).toBe("Do not answer it.");
  });

  test("an app opens an intent, so its reason is not that browsers do not", () => {
    const notes = (url: string) => verdictText(explained(url, [])).notes;
    expect(notes("intent://a.example/#Intent;end")).toContain(
      "Only phones with Android open this link.",
    );
    expect(notes("foo://a.example/")).toContain("Browsers do not open this link.");
  });

  test("a link of a shortener cannot be told", () => {
    for (const url of ["https://bit.ly/abc", "https://t.co/x", "https://tinyurl.com/a"]) {
      expect(urlSummary(url, explained(url, []))).toMatchObject({
        verdict: "cannot-tell",
        badge: "Cannot tell",
      });
    }
    const url = "https://bit.ly/abc";
    const factsOf = (short: string) => urlSummary(short, explained(short, [])).facts;
    expect(factsOf(url)[0]).toBe(
      "Add + to the link to see where it leads. Do not open it if you did not expect it.",
    );
    expect(factsOf("https://t.co/x")[0]).toBe(
      "Only t.co knows where it leads. Do not open it if you did not expect it.",
    );
    expect(urlSummary(url, explained(url, ["bit.ly/abc"])).badge).toBe("Listed");
    expect(urlSummary("https://bit.ly/", explained("https://bit.ly/", [])).badge).toBe(
      "Not on this list",
    );
  });

  test("says what it is based on", () => {
    const facts = (url: string, listed: readonly string[] | null, doubts?: readonly string[]) =>
      urlSummary(url, explained(url, listed), { doubts }).facts;
    expect(facts("http://evil.example/", ["evil.example/"])).toEqual([
      "Do not open it.",
      "evil.example/ is on phishing, a list of 2026-01-02.",
    ]);
    expect(facts("http://evil.example/a", ["evil.example/a", "evil.example/"])[1]).toBe(
      "evil.example/a and 1 more entry are on phishing, a list of 2026-01-02.",
    );
    expect(facts("http://evil.example/", [])).toEqual([
      "This does not prove that it is safe. Do not open it if you did not expect it.",
      "Looked up in phishing, a list of 2026-01-02.",
    ]);
    expect(urlSummary("https://bit.ly/abc", explained("https://bit.ly/abc", [])).sentence).toBe(
      "Opens bit.ly, a link shortener. The site that it leads to was not checked.",
    );
    expect(facts("http://evil.example/", null)).toEqual([
      "Do not open it if you did not expect it.",
      "No list is loaded.",
    ]);
    expect(facts("http://evil.example/", [], ["A list is missing."])).toEqual([
      "Not listed, but not for certain.",
      "Looked up in phishing, a list of 2026-01-02.",
      "A list is missing.",
    ]);
    expect(
      facts("http://evil.example/", ["evil.example/"], ["phishing is out of date."]),
    ).toContain("phishing is out of date.");
    expect(facts("mailto:x", [])).toEqual(["No list of sites can tell whether it is safe."]);
    expect(facts("javascript:alert(1)", [])).toEqual([
      "Do not open or paste it.",
      "No list of sites can tell whether it is safe.",
    ]);
    expect(facts("data:text/html,x", [])[0]).toBe("Do not open it.");
    expect(facts("+49 170 1234567", [])).toEqual([
      "Do not call it back: look up the number of the sender yourself.",
    ]);
    for (const number of ["5551234567", "212.555.1234", "12.12.24"]) {
      expect(facts(number, [])).toEqual([expect.stringMatching(/^If it is a telephone number, /)]);
    }
    const paste = ["Paste a whole link, such as https://www.example.com/."];
    for (const number of ["4111 1111 1111 1111", "4111111111111111", "12.12.2024", "2024-12-12"]) {
      expect(facts(number, [])).toEqual(paste);
    }
    expect(facts("banana", [])).toEqual(["Paste a whole link, such as https://www.example.com/."]);
    expect(facts("xmpp:x", [])).toEqual([
      "Paste a whole link, such as https://www.example.com/.",
      expect.stringMatching(/^Expected /),
    ]);
    expect(facts("urn:a:b", [])).toHaveLength(1);
    // The sentence says which site it looks like, and a label that this is only a user name.
    const disguised = "http://www.good.example@2130706433/";
    const advice = "Do not open it: such a disguise is typical of phishing.";
    const looked = "phishing, a list of 2026-01-02.";
    expect(facts(disguised, [])).toEqual([advice, `The link is not on ${looked}`]);
    expect(facts(disguised, null)).toEqual([advice, "No list is loaded."]);
    expect(facts(disguised, [], ["A list is missing."])).toEqual([
      advice,
      "Not listed, but not for certain.",
      `Looked up in ${looked}`,
      "A list is missing.",
    ]);
    expect(facts("http://ev\u2065il.example/", [])).toEqual([
      "Browsers may open it, so do not treat it as safe.",
      expect.stringMatching(/^The host is not in UTF-8, /),
    ]);
  });

  test("names several lists, and their days", () => {
    const lists = [
      listOf(["evil.example/"]),
      prefixList([fullHash("evil.example/")], {
        name: "b",
        prefixBytes: 32,
        created: Date.UTC(2025, 0, 2),
      }),
    ];
    const said = (url: string) => urlSummary(url, explainUrl(url, lists));
    expect(said("http://evil.example/").facts[1]).toBe(
      "evil.example/ is on phishing (2026-01-02) and b (2025-01-02).",
    );
    expect(said("http://evil.example/").facts[2]).toBe("Its full hash is on the list.");
    const undated = prefixList([fullHash("x.example/")], { name: "c", created: 0 });
    const other = explainUrl("http://good.example/", [lists[0]!, undated]);
    expect(urlSummary("http://good.example/", other).facts.at(-1)).toBe(
      "Looked up in phishing (2026-01-02) and c (of unknown age).",
    );
    expect(said("http://good.example/").badge).toBe("Not on these lists");
    expect(said("http://good.example/").sentence).toBe("Opens good.example.");
  });

  test("a defanged text has the facts of the URL that it stands for, and no verdict of its own", () => {
    const refusal = explained("", null, "a defanged URL");
    const meant = "https://evil.example/b";
    const restored = explainUrl(meant, [listOf(["evil.example/"])]);
    const { host, facts } = urlSummary("hxxps://evil[.]example/b", refusal, { meant, restored });
    expect(host).toBe("evil.example");
    expect(facts.slice(0, 2)).toEqual([
      "As it stands, this text opens nothing.",
      "Do not open it.",
    ]);
    const unchecked = urlSummary("hxxps://evil[.]example/b", refusal, { meant });
    expect(unchecked.sentence).toBe("Defanged. Means evil.example. Not checked yet.");
    expect(unchecked.facts).toHaveLength(1);
  });

  test("is about what the text is, not about its words", () => {
    const kindOf = (url: string, options = {}) => {
      const { textKind, sentence } = urlSummary(url, explained(url, []), options);
      return [textKind, sentence];
    };
    expect(kindOf("hashed:sha1=aaf4c61d")).toEqual([
      "hashed-uri",
      "This is a hashed URI, not a link.",
    ]);
    expect(kindOf("http://ev\u2065il.example/")[0]).toBe("url");
    expect(kindOf("intent://a.example/#Intent;end")).toEqual(["app-link", "Contains a.example."]);
    const unseen = "It may have links inside that were not looked at.";
    expect(kindOf("http://a.example/", { hasUnseen: true })[1]).toBe(`Opens a.example. ${unseen}`);
    const refusal = explained("", null, "a URL with spaces");
    const meant = "https://a.example/b";
    expect(urlSummary("https:// a.example/b", refusal, { meant }).sentence).toMatch(
      /^Written with spaces\. Means a\.example\./,
    );
  });

  test("a match that may be by chance is only probable", () => {
    const hashes = Array.from({ length: 5000 }, (_, i) => fullHash(`h${i}.example/`));
    const list = prefixList(hashes, { name: "short", prefixBytes: 4 });
    const { verdict, badge, sentence } = urlSummary(
      "http://h1.example/",
      explainUrl("http://h1.example/", [list]),
    );
    expect([verdict, badge]).toEqual(["listed", "Probably listed"]);
    expect(sentence).toBe("Opens h1.example.");
  });

  test("an empty list gives no verdict", () => {
    const empty = prefixList([], { name: "empty", prefixBytes: 4 });
    const summary = urlSummary("http://a.example/", explainUrl("http://a.example/", [empty]));
    expect(summary.verdict).toBe("cannot-tell");
    expect(summary.facts).toContain("empty has no entries.");
    const other = prefixList([], { name: "other", prefixBytes: 4 });
    const { facts } = urlSummary(
      "http://a.example/",
      explainUrl("http://a.example/", [empty, other]),
    );
    expect(facts).toEqual(
      expect.arrayContaining(["empty has no entries.", "other has no entries."]),
    );
  });

  test.each([
    ["http://evil.example/", true],
    ["http://user:pw@evil.example/", true],
    ["https://bit.ly/abc", false],
    ["http://localhost/", false],
    ["http://good.example@evil.example/", false],
    // Browsers do not open this link, so there are no redirects.
    ["foo://evil.example/", false],
    ["+1 2025550123", false],
  ])("%s may lead on: %j", (url, expected) => {
    const redirects = "Redirects are not followed: the link may lead elsewhere.";
    const summary = urlSummary(url, explained(url, []));
    expect(summary.caveat).toBe(expected ? redirects : null);
    expect(urlReport(url, explained(url, [])).includes(redirects)).toBe(expected);
  });

  test("a sentence names only the site of a long host", () => {
    const registrableDomain = (host: string) => host.split(".").slice(-2).join(".");
    const options = { registrableDomain, imitations: imitations({ registrableDomain }) };
    const said = (host: string) => {
      const url = `https://${host}/`;
      return urlSummary(url, explained(url, []), options).sentence;
    };
    const bait = "signin.account.verification.secure.evil.example";
    expect(said(`paypal.com.${bait}`)).toBe(
      "Looks like paypal.com, but is not. Opens evil.example.",
    );
    expect(said(`www.good.example.com.${bait}`)).toContain("opens a site of evil.example.");
    expect(said(bait)).toBe("Opens evil.example.");
    expect(said(`paypal.com@${bait}`)).toBe("Looks like paypal.com. Opens evil.example.");
    expect(said("www.paypal.com.evil.example")).toContain("Opens www.paypal.com.evil.example.");
  });

  test("of a long host, the end is shown", () => {
    const url = `http://${"a.".repeat(60)}evil.example/`;
    const { sentence } = urlSummary(url, explainUrl(url, []));
    expect(sentence).toMatch(/^Opens ….{48}evil\.example\. There is no list/);
  });
});

function partsOf(url: string): string[] {
  const result = explainUrl(url, []);
  if ("error" in result) throw new Error(result.error.message);
  return annotateUrl(url, result).map(({ role, text, label }) =>
    [role, text, ...(label === null ? [] : [label])].join(" | "),
  );
}

describe("an annotated URL", () => {
  test.each([
    [
      "http://login.evil.example\\@www.good.example:80/wiki/?q#f",
      [
        "scheme | http://",
        "host | login.evil.example | browser goes here",
        "end | \\ | “\\” ends the host",
        "other | @",
        "rules-host | www.good.example | not where it goes",
        "port | :80",
        "path | /wiki/",
        "query | ?q",
        "fragment | #f",
      ],
    ],
    [
      "http://good.example%2F@evil.example/",
      [
        "scheme | http://",
        "rules-host | good.example | not where it goes",
        "end | %2F | “%2F” ends the host",
        "other | @",
        "host | evil.example | browser goes here",
        "path | /",
      ],
    ],
    [
      "http://www.good.example@evil.example/",
      [
        "scheme | http://",
        "decoy | www.good.example@ | only a user name",
        "host | evil.example | browser goes here",
        "path | /",
      ],
    ],
    ["EVIL.example", ["host | EVIL.example | browser goes here"]],
    ["https:evil.example", ["scheme | https:", "host | evil.example | browser goes here"]],
    [
      "foo://evil.example/",
      ["scheme | foo://", "rules-host | evil.example | not where it goes", "path | /"],
    ],
    [
      "http://3279880203/a",
      ["scheme | http://", "host | 3279880203 | browser goes here", "path | /a"],
    ],
    ["http://[::1]:8080", ["scheme | http://", "host | [::1] | browser goes here", "port | :8080"]],
    [
      "https://\u0430pple.com/",
      [
        "scheme | https://",
        "host | \u0430pple.com | browser goes here; “\u0430” (U+0430) is Cyrillic, not “a”",
        "path | /",
      ],
    ],
    [
      "https://xn--pple-43d.com",
      [
        "scheme | https://",
        "host | xn--pple-43d.com | browser goes here; “\u0430” (U+0430) is Cyrillic, not “a”",
      ],
    ],
    // Letters are not marked in a word that does not look like ASCII as a whole.
    [
      "https://пример.example/",
      ["scheme | https://", "host | пример.example | browser goes here", "path | /"],
    ],
    [
      "https://bücher.example/",
      ["scheme | https://", "host | bücher.example | browser goes here", "path | /"],
    ],
  ])("%j", (url, expected) => {
    expect(partsOf(url)).toEqual(expected);
  });

  test("each letter that looks like another is named with its script", () => {
    const url = "https://G\u03bf\u041egle.com/";
    const result = explainUrl(url, []);
    if ("error" in result) throw new Error(result.error.message);
    const host = annotateUrl(url, result).find(({ role }) => role === "host")!;
    expect(host.lookAlikes).toEqual(["\u03bf", "\u043e"]);
    expect(host.label).toBe("browser goes here; 2 letters only look like a to z");
    expect(host.note).toBe(
      "The browser connects to xn--ggle-0nd67e.com. What counts is the end of the name. Anything can stand before it.",
    );
    expect(host.disguise).toBe(
      "Disguised: “\u03bf” (U+03BF) is Greek, not “o”; “\u043e” (U+043E) is Cyrillic, not “o”.",
    );
  });

  test("a user name is said to be a disguise only if it is one", () => {
    const disguise = (url: string) =>
      annotateUrl(url, explainUrl(url, []) as UrlExplanation).map(({ disguise }) => disguise);
    expect(disguise("https://paypal.com@evil.example/")).toContain(
      "Disguised: paypal.com is only a user name.",
    );
    expect(disguise("https://user%40gmail.com:pw@evil.example/")).toContain(
      "Disguised: gmail.com is only part of a user name.",
    );
    expect(new Set(disguise("https://user:pw@evil.example/"))).toEqual(new Set([null]));
  });

  test.each([
    ["https://PAYPA1.com/", "1", "a digit, not the letter l", "."],
    ["https://instagrm.com/", "r", "with no a after it", ".", "instagram.com"],
    ["https://payapl.com/", "ap", "instead of pa", "."],
    ["https://paypal.top/", "top", "instead of com", "."],
    ["https://rnicrosoft.com/", "rn", "instead of m", ".", "microsoft.com"],
    ["https://microsft.com/", "s", "with no o after it", ".", "microsoft.com"],
    ["https://hsbc.co.uk.evil.example/", "hsbc.co.uk", "only a name inside evil.example", ""],
    ["https://paypall.com/", "l", "added to paypal.com", "."],
    ["https://paypal-login.com/", "paypal", "only a name inside paypal-login.com", ""],
    ["https://paypal.com.evil.example/", "paypal.com", "only a name inside evil.example", ""],
    ["https://www-paypal-com.evil.example/", "paypal-com", "only a name inside evil.example", ""],
  ])("%s: the piece that imitates a site is %j", (url, piece, label, end, site = "paypal.com") => {
    const result = explainUrl(url, []);
    if ("error" in result) throw new Error(result.error.message);
    const registrableDomain = (host: string) => host.split(".").slice(-2).join(".");
    const options = { registrableDomain, imitations: imitations({ registrableDomain }) };
    const host = annotateUrl(url, result, options).find(({ role }) => role === "host")!;
    const { imitating, disguise, text } = host;
    expect([text.slice(imitating!.start, imitating!.end), imitating!.label]).toEqual([
      piece,
      label,
    ]);
    const named = text.slice(host.domainStart).toLowerCase();
    const why = end === "" ? `${piece} is ${label}.` : `${named} differs from ${site}${end}`;
    expect(disguise).toBe(`Disguised: ${why}`);
  });

  test.each([
    ["http://a.evil.co.uk:80/b", "evil.co.uk"],
    ["http://good.example\\@evil.example/", "good.example"],
    ["http://u@10.0.0.1/", "10.0.0.1"],
    ["mailto:a@b.example", null],
  ])("%s: a browser opens a site of %j", (url, expected) => {
    const registrableDomain = (host: string) =>
      /\d$/.test(host) ? null : (/[^.]+\.(?:co\.uk|[^.]+)$/.exec(host)?.[0] ?? null);
    const span = domainSpan(url, { registrableDomain });
    expect(span && url.slice(span.start, span.end)).toBe(expected);
  });

  test.each([
    ["http://3279880203/", ": 3279880203 = 195·256³ + 127·256² + 0·256 + 11"],
    ["http://0xC37F000B./", ": 0xC37F000B = 195·256³ + 127·256² + 0·256 + 11"],
    ["http://0303.0177.0.013/", ": 0303 = 195, 0177 = 127, 013 = 11"],
    ["http://195.8323083/", ": 8323083 = 127·256² + 0·256 + 11"],
    ["http://195.127.0.11/", ""],
    [`http://${"0".repeat(100)}30337600013/`, ""],
    ["http://%33279880203/", ""],
  ])("%s: the note says why it is this address", (url, because) => {
    const result = explainUrl(url, []);
    if ("error" in result) throw new Error(result.error.message);
    const { note } = annotateUrl(url, result).find(({ role }) => role === "host")!;
    const start = /^The browser connects to \d+(?:\.\d+){3}/.exec(note!)![0];
    expect(note!.replace(start, "")).toBe(
      `${because}. An IP address does not say whose site it is.`,
    );
  });

  test("the small palochka, which has no dot, looks like “l”", () => {
    const url = "https://www.\u0430\u0440\u0440\u04cf\u0435.com/";
    expect(urlSummary(url, explainUrl(url, [])).sentence).toMatch(
      /^Looks like apple\.com, but is not\. /,
    );
  });

  test.each([
    ["http://www.EVIL.co.uk/", "EVIL.co.uk"],
    ["http://good.example%2eevil.co.uk:80/", "evil.co.uk"],
    ["http://a.evil。co.uk./", "evil。co.uk."],
    ["http://a.\u0435vil.co.uk", "\u0435vil.co.uk"],
    ["http://good.example\\@evil.example/", "good.example"],
    ["http://a.b.c.evil%252eco.uk/", ""],
    ["http://evil.co.uk/", "evil.co.uk"],
    ["http://co.uk/", "co.uk"],
    ["http://10.0.0.1/", "10.0.0.1"],
  ])("%s: the registrable domain is %j", (url, expected) => {
    const result = explainUrl(url, []);
    if ("error" in result) throw new Error(result.error.message);
    const registrableDomain = (host: string): string | null =>
      /[^.]+\.co\.uk$/.exec(host)?.[0] ?? null;
    const host = annotateUrl(url, result, { registrableDomain }).find(
      ({ role }) => role === "host",
    );
    expect(host?.text.slice(host.domainStart) ?? "").toBe(expected);
  });

  test("the note names the registrable domain", () => {
    const url = "http://www.evil.example/";
    const result = explainUrl(url, []);
    if ("error" in result) throw new Error(result.error.message);
    const parts = annotateUrl(url, result, { registrableDomain: () => "evil.example" });
    expect(parts[1]!.note).toBe(
      "What counts is the end of the name: evil.example. Anything can stand before it.",
    );
    expect(parts.map(({ domainStart }) => domainStart)).toEqual([0, 4, 0]);
  });

  test("of a host with many letters that look like others, few are named", () => {
    const letters = "\u0430\u0435\u043e\u0440\u0441\u0443\u0445";
    const url = `https://${letters.repeat(5)}.example/`;
    const result = explainUrl(url, []);
    if ("error" in result) throw new Error(result.error.message);
    const host = annotateUrl(url, result)[1]!;
    expect(host.lookAlikes).toEqual([...letters]);
    expect(host.label).toContain("7 letters");
    expect(host.disguise!.match(/Cyrillic/g)).toHaveLength(3);
  });

  test("the parts are the whole text, and a host is where it is said to be", {
    tags: "deep",
  }, () => {
    const piece = fc.constantFrom(
      ..."http:// https: HTTP: // / \\ @ : %2f %40 %3a ? # a.b evil.example \u0430pple.com 1.2.3.4 16909060 [::1] :80 . é \t \n %252F ; ht".split(
        " ",
      ),
    );
    let annotated = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const url = pieces.join("");
        const result = explainUrl(url, []);
        if ("error" in result) return;
        const parts = annotateUrl(url, result);
        if (parts.length === 0) return;
        annotated++;
        expect(parts.map(({ text }) => text).join("")).toBe(url);
        expect(parts.every(({ text }) => text !== "")).toBe(true);
        urlSummary(url, result);
        urlReport(url, result);
      }),
      { seed: 20261123, numRuns: sampleSize(3000, 600) },
    );
    expect(annotated).toBeGreaterThan(100);
  });
});

describe("a report", () => {
  const URL_TEXT = "http://login.evil.example\\@www.good.example/`a`";

  test("is defanged, as plain text", () => {
    const result = explainUrl(URL_TEXT, [listOf(["evil.example/"])]);
    const report = urlReport(URL_TEXT, result);
    expect(report.split("\n").slice(0, 6)).toEqual([
      "Looks like good[.]example. Opens login[.]evil[.]example.",
      "Listed. Do not open it. evil[.]example/ is on phishing, a list of 2026-01-02.",
      "URL: hxxp://login[.]evil[.]example\\@www[.]good[.]example/`a`",
      "Browsers open: hxxp://login[.]evil[.]example/@www[.]good[.]example/%60a%60",
      "Canonical: hxxp://www[.]good[.]example/`a`",
      expect.stringMatching(/^Entry: evil\[\.\]example\/ \([0-9a-f]{16}\) on phishing$/),
    ]);
    expect(report).toMatch(
      /^List: phishing \(2 prefixes, of 2026-01-02, checksum [0-9a-f]{64}\)$/m,
    );
    expect(report).not.toMatch(/https?:|[a-z]\.[a-z]/i);
  });

  test("in Markdown, no text from outside is markup", () => {
    const result = explainUrl(URL_TEXT, [
      prefixList([fullHash("evil.example/")], { name: "*[a](http://b.example)*", prefixBytes: 8 }),
    ]);
    const report = urlReport(URL_TEXT, result, { format: "markdown" });
    expect(report).toContain(
      "**Looks like good\\[.\\]example. Opens login\\[.\\]evil\\[.\\]example.**",
    );
    expect(report).toContain(
      "- URL: `` hxxp://login[.]evil[.]example\\@www[.]good[.]example/`a` ``",
    );
    expect(report).toContain("\\*\\[a\\](hxxp://b\\[.\\]example)\\*");
    expect(report).not.toMatch(/https?:/i);
  });

  test.each(["text", "markdown"] as const)("nobody is notified, as %s", (format) => {
    const url = "http://evil.example/@octocat/?@octocat";
    const lists = ["@octocat", "a @octocat/team", "@@octocat@octocat"].map((name) =>
      prefixList([fullHash("evil.example/@octocat/?@octocat")], { name, prefixBytes: 8 }),
    );
    const report = urlReport(url, explainUrl(url, lists), { format });
    expect(report.match(/\[@\\?\]octocat/g)!.length).toBeGreaterThan(6);
    // Code spans contain no mentions, and the rows of a text report keep the at signs of the URL.
    const others = report.replace(format === "text" ? /^(?:URL|Entry): \S+/gm : /`[^`]*`/g, "");
    expect(others).not.toMatch(/@[a-z]/);
  });

  test("control characters are spelled out, and a long URL is cut", () => {
    const url = `http://a.example/\u202e\n${"x".repeat(5000)}`;
    const report = urlReport(url, explainUrl(url, []));
    expect(report).toContain("URL: hxxp://a[.]example/\\u{202e}\\u{a}xxx");
    expect(report.length).toBeLessThan(3000);
  });
});
