import { fileURLToPath } from "node:url";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { type RunningServer, startServer } from "../../src/server/start-server.ts";
import { packagedChromium } from "./packaged-chromium.js";
import { HAS_PACKAGED_CHROMIUM } from "./unpack.ts";

/** The folder of the built page. */
export const BUILT_PAGE: string = fileURLToPath(new URL("../../dist/web/", import.meta.url));

/** Options for a browser without a desktop and inside a container. */
const ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage"];

/** Launches the browser in `CHROME_PATH`, the Chromium of an npm package (on Linux on x64), or an installed Chrome. */
async function launch(): Promise<Browser> {
  const named = process.env["CHROME_PATH"];
  if (named !== undefined) return chromium.launch({ executablePath: named, args: ARGUMENTS });
  if (HAS_PACKAGED_CHROMIUM) {
    const executablePath = await packagedChromium();
    return chromium.launch({ executablePath, args: [...ARGUMENTS, "--headless=shell"] });
  }
  return chromium.launch({ channel: "chrome", args: ARGUMENTS });
}

export interface OpenOptions extends BrowserContextOptions {
  /** The fragment after the URL of the page. */
  readonly fragment?: string;
  /** Whether the page gets its service worker and is ready for offline use. */
  readonly worksOffline?: boolean;
  /** The server to open the page from; by default, one that all tests of a file share. */
  readonly server?: Pick<RunningServer, "url">;
  /** Whether only the chosen tab of the details is shown, as people see it. Most tests check all tabs. */
  readonly isFolded?: boolean;
  /** Called before the page is opened. */
  readonly prepare?: (context: BrowserContext) => Promise<void>;
}

/** An open page, and everything that went wrong in it. */
export interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly url: string;
  /** Errors, warnings and violations of the policy so far. Any of them fails the test. */
  readonly troubles: string[];
  /** The URLs that the page, its worker and its service worker have requested. */
  readonly requests: string[];
}

const REPORT = "policy violated: ";

const REPORT_VIOLATIONS = `addEventListener("securitypolicyviolation", (event) =>
  console.error("${REPORT}" + event.violatedDirective + " " + event.blockedURI))`;

/**
 * Removes the service worker API, as browsers do at insecure addresses. In most tests, a service worker would only
 * fetch every file again.
 */
const WITHOUT_SERVICE_WORKER = "delete Navigator.prototype.serviceWorker";

const UNFOLD = `{
  const all = new CSSStyleSheet();
  all.replaceSync("[role=tabpanel][hidden] { display: grid !important } :is(.in-terms, .fold)::details-content { content-visibility: visible }");
  document.adoptedStyleSheets = [all];
}`;

/** The text of the example “Spoofed host”. */
export const SPOOFED = "HTTP://login.AZUKISHOP.live\\@www.wikipedia.org:80/wiki/%2555RL#top";
/** A view of that example. */
export const EXAMPLE: string = `#url?u=${encodeURIComponent(SPOOFED)}`;

/** All test files of a process share this browser, which ends with the process. */
let browser: Browser | undefined;
let shared: RunningServer | undefined;
let opened: Opened[] = [];

/**
 * Opens a browser for the tests of a file. After each test, its pages are closed, and the test fails if a page had
 * troubles.
 */
export function useBrowser(): void {
  beforeAll(async () => {
    browser ??= await launch();
  });
  afterEach(async () => {
    const closing = opened;
    opened = [];
    for (const { context } of closing) await context.close();
    expect(closing.flatMap(({ troubles }) => troubles)).toEqual([]);
  });
  afterAll(async () => {
    await shared?.stop(0);
    shared = undefined;
  });
}

/** Opens a URL in a new browser profile. */
export async function openUrl(
  url: string,
  {
    worksOffline = false,
    isFolded = false,
    prepare = async () => {},
    ...options
  }: Omit<OpenOptions, "fragment" | "server"> = {},
): Promise<Opened> {
  const context = await browser!.newContext({
    viewport: { width: 1280, height: 900 },
    permissions: ["clipboard-read", "clipboard-write"],
    ...options,
  });
  context.setDefaultTimeout(120_000);
  const troubles: string[] = [];
  const requests: string[] = [];
  context.on("request", (request) => requests.push(request.url()));
  context.on("weberror", (error) => troubles.push(String(error.error())));
  context.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") troubles.push(message.text());
  });
  context.on("dialog", (dialog) => {
    troubles.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await context.addInitScript(REPORT_VIOLATIONS);
  if (!isFolded) await context.addInitScript(UNFOLD);
  if (!worksOffline) await context.addInitScript(WITHOUT_SERVICE_WORKER);
  await prepare(context);
  const page = await context.newPage();
  const result = { page, context, url, troubles, requests };
  opened.push(result);
  await page.goto(url);
  return result;
}

/** Opens the page in a new browser profile, and waits until the page has answered everything in its link. */
export async function openPage(options: OpenOptions = {}): Promise<Opened> {
  const { fragment = "", server, ...others } = options;
  if (server === undefined) shared ??= await startServer({ port: 0, folder: BUILT_PAGE });
  const { url } = server ?? shared!;
  const result = await openUrl(url + fragment, others);
  const { page } = result;
  await page.locator("#screen").waitFor();
  if (others.worksOffline) {
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  }
  await answered(page);
  return { ...result, url };
}

/** A field by its label. */
export function field(page: Page, label: string): Locator {
  return page.getByLabel(label, { exact: true }).and(page.locator("textarea, select, input"));
}

/** The visible text of an element. */
export function textOf(element: Locator): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: hidden text is not wanted.
  return element.innerText();
}

/** The answer about a URL, and how sure it is. */
export async function answerText(page: Page): Promise<string> {
  const parts = [page.getByRole("region", { name: "Answer", exact: true }), panel(page, HOW_SURE)];
  const shown = await Promise.all(parts.map(async (part) => (await part.count()) > 0));
  const texts = await Promise.all(parts.filter((_, i) => shown[i]).map(textOf));
  return texts.join("\n");
}

const HOW_SURE = "Why this verdict";

/** A part of a screen by its title. */
export function panel(page: Page, title: string): Locator {
  return page.getByRole("region", { name: title, exact: true });
}

/** Waits until everything so far is loaded, answered and shown. The page counts pending work in `data-pending`. */
export async function answered(page: Page): Promise<void> {
  await page.waitForFunction(() => document.documentElement.dataset["pending"] === "0");
}

/**
 * Waits until exactly these violations of the policy were reported, each `times` times, and forgets all troubles.
 * Reports come after the browser's own messages.
 */
export async function expectViolations(
  troubles: string[],
  expected: readonly string[],
  times = 1,
): Promise<void> {
  const all = expected.flatMap((one) => Array<string>(times).fill(`${REPORT}${one}`));
  const reported = () => troubles.filter((text) => text.startsWith(REPORT)).sort();
  await expect.poll(reported).toEqual(all.sort());
  troubles.length = 0;
}

/** Lets a test hold back the messages of the page to its worker, from the start if `isHeld`. Call it in `prepare`. */
export async function makeWorkerHoldable(context: BrowserContext, isHeld = false): Promise<void> {
  await context.addInitScript((isHeld) => {
    const send = Worker.prototype.postMessage as (this: Worker, ...parts: unknown[]) => void;
    let held: (() => void)[] | null = isHeld ? [] : null;
    Worker.prototype.postMessage = function (this: Worker, ...parts: unknown[]): void {
      if (held === null) send.apply(this, parts);
      else held.push(() => send.apply(this, parts));
    };
    const holding = {
      hold: () => {
        held ??= [];
      },
      release: () => {
        const released = held ?? [];
        held = null;
        for (const question of released) question();
      },
    };
    Object.assign(globalThis, { holding });
  }, isHeld);
}

declare const holding: { readonly hold: () => void; readonly release: () => void };

/** Holds back all further messages to the worker. */
export async function hold(page: Page): Promise<void> {
  await page.evaluate(() => holding.hold());
}

/** Sends the messages that were held back. */
export async function release(page: Page): Promise<void> {
  await page.evaluate(() => holding.release());
}

/** Clicks a button and returns the text that it copies. */
export async function copiedBy(button: Locator): Promise<string> {
  const page = button.page();
  const text = () => page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await button.click();
  await expect.poll(text).not.toBe("");
  return text();
}

/** Waits until the history of the tab keeps a view with this text. */
export async function historyHas(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    (part) => typeof history.state === "string" && history.state.includes(part),
    text,
  );
}

/** Pastes a text, perhaps with its HTML, as if it came from the system clipboard. */
export async function paste(page: Page, label: string, text: string, html = ""): Promise<void> {
  await field(page, label).fill("");
  await field(page, label).focus();
  await page.evaluate(
    ({ text, html }) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      if (html !== "") clipboardData.setData("text/html", html);
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      document.activeElement!.dispatchEvent(event);
    },
    { text, html },
  );
}

/** Drops a file on the element that `selector` matches. */
export async function dropFile(
  page: Page,
  selector: string,
  name: string,
  content: Uint8Array,
  lastModified: number = Date.now(),
): Promise<void> {
  await page.evaluate(
    ({ selector, name, base64, lastModified }) => {
      const bytes = Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], name, { lastModified }));
      const target = document.querySelector(selector)!;
      for (const type of ["dragenter", "dragover", "drop"]) {
        target.dispatchEvent(
          new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }),
        );
      }
    },
    { selector, name, lastModified, base64: Buffer.from(content).toString("base64") },
  );
}
