import { packagedChromium } from "./packaged-chromium.js";

/** Whether the Chromium that comes as an npm package runs here. */
export const HAS_PACKAGED_CHROMIUM: boolean =
  process.platform === "linux" &&
  process.arch === "x64" &&
  process.env["CHROME_PATH"] === undefined;

/** Unpacks Chromium once, before the tests. */
export default async function unpack(): Promise<void> {
  if (HAS_PACKAGED_CHROMIUM) await packagedChromium();
}
