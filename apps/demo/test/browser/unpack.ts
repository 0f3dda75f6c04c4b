import sparticuz from "@sparticuz/chromium";

/** Whether the Chromium that comes as an npm package runs here. */
export const HAS_PACKAGED_CHROMIUM: boolean =
  process.platform === "linux" &&
  process.arch === "x64" &&
  process.env["CHROME_PATH"] === undefined;

/** Unpacks it once, before the tests. Two that unpack it at the same time would both start half a program. */
export default async function unpack(): Promise<void> {
  if (HAS_PACKAGED_CHROMIUM) await sparticuz.executablePath();
}
