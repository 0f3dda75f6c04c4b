import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { dropFile, EXAMPLE, field, openPage, paste, textOf, useBrowser } from "./open-page.ts";

useBrowser();

/** The name of the focused element, or of the part of the screen around it. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    if (element === document.body) return "the body";
    const labelledBy = element.getAttribute("aria-labelledby");
    const label =
      element.getAttribute("aria-label") ??
      (labelledBy === null ? null : document.getElementById(labelledBy)!.textContent) ??
      (element as HTMLInputElement).labels?.[0]?.textContent ??
      element.textContent;
    return label.trim();
  });
}

async function pressOn(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).focus();
  await page.keyboard.press("Enter");
}

test("Clear leaves the focus in the field that it cleared", async () => {
  const { page } = await openPage({ fragment: EXAMPLE });
  await pressOn(page, "Clear Link or message");
  expect(await field(page, "Link or message").inputValue()).toBe("");
  expect(await focused(page)).toBe("Link or message");
  await page.keyboard.type("azukishop.live");
  await page.locator(".verdict.listed").waitFor();
});

test("a text that is too long for a field takes the focus when it is pasted, and Clear gives it back", async () => {
  const { page } = await openPage();
  await paste(page, "Link or message", `http://a.example/${"b".repeat(30_000)}`);
  await page.locator(".long-text").waitFor();
  expect(await focused(page)).toBe("Link or message");
  await pressOn(page, "Clear Link or message");
  expect(await focused(page)).toBe("Link or message");
  await page.keyboard.type("b.example");
  expect(await field(page, "Link or message").inputValue()).toBe("b.example");
});

test("a field stays while the user types in it, however long its text becomes", async () => {
  const { page } = await openPage({ fragment: `#url?u=http://a.example/${"b".repeat(16_000)}` });
  const box = field(page, "Link or message");
  await box.focus();
  await page.keyboard.press("End");
  await page.keyboard.insertText("c".repeat(3990));
  for (const key of "defghijklm") await page.keyboard.press(key);
  expect((await box.inputValue()).endsWith("defghijklm")).toBe(true);
  expect((await box.inputValue()).length).toBeGreaterThan(20_000);
  expect(await focused(page)).toBe("Link or message");
});

test("Remove and “Add the built-in list” leave the focus among the lists", async () => {
  const { page } = await openPage();
  await dropFile(page, "[data-drop=list]", "x.txt", new TextEncoder().encode("evil.example\n"));
  await page.getByRole("button", { name: "Remove x.txt" }).waitFor();
  await pressOn(page, "Remove x.txt");
  expect(await focused(page)).toBe("Lists");
  await page.keyboard.press("Tab");
  expect(await focused(page)).toBe("Save metamask-crypto-phishing");
  await page.keyboard.press("Tab");
  expect(await focused(page)).toBe("Remove metamask-crypto-phishing");
  await page.keyboard.press("Enter");
  expect(await focused(page)).toBe("Lists");
  await pressOn(page, "Add the built-in list");
  expect(await focused(page)).toBe("Lists");
});

test("screen readers are told what is inserted and what is removed", async () => {
  const { page } = await openPage({ fragment: "#url?u=http://EXAMPLE.com/" });
  const step = page.locator(".step", { hasText: "Lower-case the host" });
  const read = await step.ariaSnapshot();
  expect(read).toContain('deletion: "[removed: EXAMPLE ]"');
  expect(read).toContain('insertion: "[inserted: example ]"');
  // The words for screen readers are not part of the text.
  expect(await textOf(step.locator("del"))).toBe("EXAMPLE");
});
