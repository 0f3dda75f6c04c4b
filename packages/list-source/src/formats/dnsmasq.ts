import type { LineParser, ListFormat, Output } from "./format.ts";
import { isAddress, isBlockingAddress, isWholeTarget } from "./hosts.ts";
import { withoutComment, withoutLeadingWildcard } from "./plain.ts";

const DOMAIN_OPTION = /^(address|server|local)\s*=\s*\/(.*)\/([^/]*)$/;
/**
 * Matches options with domains that could not be read, because they are malformed or misspelled, such as
 * `adress=/evil.example/`. The expression does not match `server=192.0.2.1`, which has no domain, or options such as
 * `ipset`, which have domains but do not block them.
 */
const DOMAIN_LIKE =
  /^(?:(?:address|local)\s*=|server\s*=.*\/|(?!(?:ipset|nftset|rebind-domain-ok)\s*=)[a-z][a-z0-9-]*\s*=\s*\/[^/]*\.[^/]*(?:\/|$))/;
/** Options that name files with more options or hosts. */
const INCLUDE = /^(?:conf-(?:file|dir|script)|servers-file|addn-hosts|hostsdir|resolv-file)\s*=/;
/** Options that decide the answer for single names, and so may block a name or except it. */
const NAME_OPTION =
  /^(?:host-record|cname|dynamic-host|interface-name|synth-domain|dns-rr|txt-record|mx-host|srv-host|naptr-record|caa-record|auth-zone)\s*=/;
/** Matches a part of a URL that cannot be a domain. */
const OF_URLS = /[:%?&=@]|^\.{1,2}$/;
const OPTION = /^[a-z][a-z0-9-]*(?:\s*=|$)/;
/** The targets that nearly all lists use, and that need no further checks. */
const USUAL_TARGETS: ReadonlySet<string> = new Set(["", "#", "0.0.0.0", "::"]);

/** dnsmasq options: `address=/evil.example/0.0.0.0`, `server=/evil.example/`, `local=/evil.example/`. */
export const dnsmasq: ListFormat = {
  name: "dnsmasq",
  title: "dnsmasq options",
  shape: {
    code: "dnsmasq-line",
    found: "a dnsmasq option",
    pattern: /^\s*(?:address|server|local|ipset|nftset)=\//,
  },
  parser: dnsmasqParser,
};

function dnsmasqParser(output: Output): LineParser {
  let lastTarget = "";
  /** Whether any option so far had a target that does not block. */
  let sawOther = false;

  return {
    line(line) {
      if (line.startsWith("#")) return;
      const option = withoutComment(line);
      const [, name, domains, target] = DOMAIN_OPTION.exec(option) ?? [];
      if (name !== undefined) readDomains(name, domains!.split("/"), target!, option);
      else if (INCLUDE.test(option)) output.refuse("directive", option);
      else if (NAME_OPTION.test(option)) output.refuse("option-unknown", option);
      else if (DOMAIN_LIKE.test(option)) output.refuse("not-a-url", option);
      else if (OPTION.test(option)) output.notApplicable(option);
      else output.refuse("not-a-url", option);
    },
    lastLine: () => (sawOther && !isWholeTarget(lastTarget) ? "cut" : "whole"),
  };

  function readDomains(name: string, domains: readonly string[], target: string, option: string) {
    lastTarget = target;
    // The target "#" means the null address. If there is no target, dnsmasq answers that the name does not exist.
    const blocks =
      name === "address" ? USUAL_TARGETS.has(target) || isBlockingAddress(target) : target === "";
    if (!blocks) sawOther = true;
    if (name === "address") {
      if (!blocks) return output.refuse("address-not-blocking", option);
    } else if (target !== "") {
      // A server that resolves the domain, or "#" for the usual servers, excludes the domain from a broader option.
      const isServer = target === "#" || isAddress(target.replace(/[#@].*$/, ""));
      return output.refuse(isServer ? "exception" : "not-a-url", option);
    }
    // One piece of a URL may look like a domain: "address=/http://evil.example/good.example/".
    if (domains.some((domain) => OF_URLS.test(domain)))
      return output.refuse("host-expected", option);
    for (const domain of domains) {
      if (domain === "#" || domain === "") output.refuse("wildcard", option);
      else output.entry(withoutLeadingWildcard(domain), "host");
    }
  }
}
