import { expect, test } from "vitest";
import { beyondTheWindow, violations } from "./axe.ts";
import {
  answered,
  EXAMPLE,
  field,
  historyHas,
  hold,
  makeWorkerHoldable,
  openPage,
  panel,
  release,
  textOf,
  useBrowser,
} from "./open-page.ts";

useBrowser();

const LISTED = "u=http://login.azukishop.live/a/b";
const UGLY = `u=${encodeURIComponent("http://\u202ea\u05d0\u0301\u0301\u0301\u0301.example/<b>\u200b%00?\u{1f600}")}`;

/** Views with as much as possible on each screen. */
const VIEWS = [
  `#url?${UGLY}`,
  `#url?u=${"azukishop.live%0Aexample.com%0Ahttp://u.example@b.example/%0A".repeat(40)}mailto:x`,
  "#urn?u=urn:a1:b&v=nothing",
  `#urn?u=urn:example:${"a".repeat(2000)}`,
  "#url",
  `#url?${LISTED}`,
  `#url?u=${"a.".repeat(200)}example/${"b/".repeat(500)}`,
  "#url?u=mailto:x",
  "#url?u=",
  "#url?u=https:azukishop.live",
  "#urn",
  "#hashed",
  "#urn?u=urn:-a:b&v=urn:a1:b",
  "#urn?u=urn:example:a%3F%2Br%3F%3Dq%23f",
  `#urn?${UGLY}`,
];

const NAMED_VIEWS = VIEWS.map((fragment) => [fragment.slice(0, 60), fragment] as const);

// All checks of a view use one page, because opening a page takes most of the time.
test.each(NAMED_VIEWS)(
  "axe finds nothing, light and dark; 360 px wide there is nothing to scroll sideways, at 200 % text, too: %s",
  async (_, fragment) => {
    const { page } = await openPage({ fragment, colorScheme: "light" });
    await answered(page);
    expect(await violations(page)).toEqual([]);
    // In the dark theme, only the colours are different.
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await violations(page, ["color-contrast"])).toEqual([]);

    await page.setViewportSize({ width: 360, height: 740 });
    await page.evaluate(() => {
      for (const folded of document.querySelectorAll("details")) folded.open = true;
    });
    expect(await beyondTheWindow(page)).toEqual([360]);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    expect(await beyondTheWindow(page)).toEqual([360]);
  },
);

test.each([
  "",
  `${EXAMPLE}&tab=why`,
  `${EXAMPLE}&tab=hashes`,
  `${EXAMPLE}&tab=lists`,
  `${EXAMPLE}&tab=code`,
  "#url?u=azukishop.live%0Aexample.com",
  "#urn",
  "#hashed",
])("%s: on a phone, what is tapped is at least 44 px wide and high", async (fragment) => {
  const { page } = await openPage({
    fragment,
    isFolded: true,
    viewport: { width: 390, height: 844 },
  });
  await answered(page);
  const small = await page.evaluate(() => {
    for (const folded of document.querySelectorAll("details")) folded.open = true;
    const controls = document.querySelectorAll<HTMLElement>("button, a, summary, input");
    return [...controls].flatMap((control) => {
      if (!control.checkVisibility() || control.matches(".skip")) return [];
      // A tap anywhere on a row opens it.
      const target = control.closest("label") ?? control;
      const { width, height } = (
        control.matches(".open") ? control.closest("li")! : target
      ).getBoundingClientRect();
      return Math.min(width, height) > 43.9
        ? []
        : [`${control.outerHTML.slice(0, 99)}: ${width} × ${height}`];
    });
  });
  expect(small).toEqual([]);
});

test.each(["light", "dark"] as const)(
  "axe finds nothing while the first answer is awaited and while an answer is out of date: %s",
  async (colorScheme) => {
    const { page } = await openPage({
      colorScheme,
      prepare: (context) => makeWorkerHoldable(context),
    });
    const busy = page.locator("[aria-busy=true]");
    await hold(page);
    await page.getByRole("tab", { name: "Tools" }).click();
    await page.getByText("Working …", { exact: true }).first().waitFor();
    expect(await violations(page)).toEqual([]);
    await release(page);
    await answered(page);
    expect(await busy.count()).toBe(0);

    await hold(page);
    await field(page, "URN").fill("urn:example:typed");
    await busy.first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await beyondTheWindow(page)).toEqual([360]);
    await release(page);
    await answered(page);
  },
);

test("the keyboard is enough to get from a URL to a link to the view", async () => {
  const { page } = await openPage({ fragment: "#url?u=http://a.example/" });
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement as HTMLElement;
      const label = (element as HTMLInputElement).labels?.[0]?.textContent;
      return label ?? element.textContent.replaceAll("\n", " ").trim();
    });
  const tabTo = async (name: string): Promise<void> => {
    for (let i = 0; i < 150 && (await focused()) !== name; i++) await page.keyboard.press("Tab");
    expect(await focused()).toBe(name);
    const outline = await page.evaluate(
      () => getComputedStyle(document.activeElement!).outlineStyle,
    );
    expect(outline).toBe("solid");
  };
  await page.keyboard.press("Tab");
  expect(await focused()).toBe("Skip to content");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement!.id)).toBe("screen");
  await tabTo("Link or message");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("azukishop.live/a");
  await page.locator(".verdict.listed").waitFor();
  await tabTo("Why");
  await page.keyboard.press("ArrowRight");
  await historyHas(page, "tab=steps");
  await tabTo("Copy page link with this view");
  await page.keyboard.press("Enter");
  await page.waitForFunction(async () =>
    (await navigator.clipboard.readText()).includes("#url?u=azukishop.live/a&tab=steps"),
  );
});

test("arrow keys move between the tabs", async () => {
  const { page } = await openPage();
  await page.getByRole("tab", { name: "Check", exact: true }).focus();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("tab", { name: "Tools", selected: true }).waitFor();
  expect(await page.evaluate(() => document.activeElement!.textContent)).toBe("Tools");
  await page.keyboard.press("Home");
  await page.getByRole("tab", { name: "Check", exact: true, selected: true }).waitFor();
});

test("verdicts are announced", async () => {
  const { page } = await openPage();
  await field(page, "Link or message").fill("azukishop.live");
  const answer = page.getByRole("region", { name: "Answer" }).getByRole("status");
  await answer.getByText("Listed: http://azukishop.live/. Opens azukishop.live.").waitFor();
  await field(page, "Link or message").fill("xmpp:x");
  await answer.getByText(/^Not a URL: This is not a URL\. Paste a whole link/).waitFor();
  await page.getByRole("tab", { name: "Tools" }).click();
  await panel(page, "Are they the same name?").waitFor();
  const said = panel(page, "Are they the same name?").getByRole("status");
  await said.getByText(/^Equivalent\. /).waitFor();
  await field(page, "URN").fill("urn:isbn:1");
  await said.getByText(/^Not equivalent\. /).waitFor();
});

test("a field refers to its error and to its hidden characters", async () => {
  const { page } = await openPage();
  const box = field(page, "Link or message");
  const described = () =>
    box.evaluate((element) =>
      (element.getAttribute("aria-describedby") ?? "")
        .split(" ")
        .filter(Boolean)
        .map((id) => document.getElementById(id)!.textContent),
    );
  expect(await described()).toEqual([]);
  const live = page.locator(".entry [aria-live]").last();
  await box.fill("foo:\u202ex");
  await answered(page);
  const [error, warning] = await described();
  expect(error).toMatch(/^Expected "\/\/" and a host/);
  expect(warning).toMatch(/^This text has 1 character that is not visible here: U\+202E\.$/);
  expect(await textOf(live)).toBe(warning);
  expect(await box.getAttribute("aria-invalid")).toBe("true");
  const errorId = (await box.getAttribute("aria-errormessage"))!;
  expect(await page.evaluate((id) => document.getElementById(id)!.textContent, errorId)).toBe(
    error,
  );
  expect(await violations(page)).toEqual([]);
  await box.fill("http://a.example/");
  expect(await described()).toEqual([]);
  expect(await box.getAttribute("aria-invalid")).toBe("false");
  expect(await box.getAttribute("aria-errormessage")).toBe(null);
});

test("nothing moves if the user prefers reduced motion", async () => {
  const { page } = await openPage({ reducedMotion: "reduce" });
  const moving = await page.evaluate(
    () =>
      [...document.querySelectorAll("*")].filter((element) => {
        const { transitionDuration, animationName } = getComputedStyle(element);
        return transitionDuration !== "0s" || animationName !== "none";
      }).length,
  );
  expect(moving).toBe(0);
});

test("in forced colours, the current tab and disabled buttons can still be told apart", async () => {
  const { page } = await openPage({ fragment: `#url?${LISTED}`, forcedColors: "active" });
  await page.locator(".verdict.listed").waitFor();
  const styleOf = (selector: string, property: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
  expect(await styleOf("[role=tab][aria-selected=true]", "border-bottom-width")).not.toBe(
    await styleOf("[role=tab][aria-selected=false]", "border-bottom-width"),
  );
  await field(page, "Link or message").fill("http://a.example/\n".repeat(150));
  await page.getByRole("button", { name: "Next" }).waitFor();
  expect(await styleOf("button[aria-disabled=true]", "color")).not.toBe(
    await styleOf("button[aria-disabled=false]", "color"),
  );
});

test("the keyboard alone filters and opens rows of many URLs", async () => {
  const urls = [
    "http://azukishop.live/a",
    "http:\\\\metamask1.io\\restore",
    "http://good.example/",
  ];
  const { page } = await openPage({ fragment: `#url?u=${encodeURIComponent(urls.join("\n"))}` });
  await page.getByText("Do not open 2 of these 3 links").first().waitFor();
  const tabTo = async (pattern: RegExp): Promise<void> => {
    for (let i = 0; i < 60; i++) {
      const name = await page.evaluate(() => document.activeElement!.textContent!.trim());
      if (pattern.test(name)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab does not reach ${pattern}`);
  };
  await tabTo(/^2 listed$/);
  await page.keyboard.press("Space");
  await expect.poll(() => page.locator(".found-links li > .tag").count()).toBe(2);
  await tabTo(/^See the answer for http:\\\\metamask1/);
  await page.keyboard.press("Enter");
  await page.getByText("Only browsers read this text as a URL.").waitFor();
  expect(await field(page, "Link or message").inputValue()).toBe("http:\\\\metamask1.io\\restore");
  expect(await page.evaluate(() => document.activeElement!.id)).toBe("screen");
});
