declare module "tr46" {
  interface Options {
    readonly checkHyphens: boolean;
    readonly checkBidi: boolean;
    readonly checkJoiners: boolean;
    readonly useSTD3ASCIIRules: boolean;
    readonly verifyDNSLength: boolean;
  }
  function toASCII(domain: string, options: Options): string | null;
  function toUnicode(domain: string, options: Options): { domain: string; error: boolean };
}
