import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";
import { startServer } from "../../../../apps/demo/dist/server/start-server.js";

const FOLDER = fileURLToPath(new URL("../../../../apps/demo/dist/web/", import.meta.url));

/** The page of apps/demo, served as it was built, in a Firefox with a new profile. */
export async function pageInFirefox({ path }) {
  const server = await startServer({ port: 0, folder: FOLDER });
  let browser;
  try {
    browser = await puppeteer.launch({ browser: "firefox", executablePath: path, headless: true });
  } catch (error) {
    await server.stop(0);
    throw error;
  }
  return {
    /** Opens a screen. `troubles` gets its errors and warnings as they come. */
    async open(fragment) {
      const page = await browser.newPage();
      const troubles = [];
      page.on("pageerror", (error) => troubles.push(String(error)));
      page.on("console", (message) => {
        if (["error", "warn"].includes(message.type())) troubles.push(message.text());
      });
      await page.goto(server.url + fragment);
      return {
        troubles,
        /** Waits until the text of an element matches. */
        async see(selector, pattern) {
          await page.waitForFunction(
            (css, source) =>
              new RegExp(source).test(document.querySelector(css)?.textContent ?? ""),
            { timeout: 30_000 },
            selector,
            pattern.source,
          );
        },
        textsOf: (selector) =>
          page.$$eval(selector, (all) => all.map((one) => one.textContent.trim())),
        type: (selector, text) => page.type(selector, text),
        click: (selector) => page.click(selector),
        press: (key) => page.keyboard.press(key),
        evaluate: (work, ...given) => page.evaluate(work, ...given),
        close: () => page.close(),
      };
    },
    async stop() {
      await browser.close();
      await server.stop(0);
    },
  };
}
