export function packagedChromium(): Promise<string>;
