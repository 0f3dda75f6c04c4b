import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Returns the violations that axe finds by the given rules; by default, by all rules, including best practices. */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // The policy of the page would refuse axe as a script element.
  await page.evaluate(axe);
  const results = (await page.evaluate(
    `axe.run(${rules === undefined ? "" : JSON.stringify({ runOnly: rules })})`,
  )) as AxeResults;
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}

/** The width of the page, and the elements outside of `scrolled` that reach beyond the window. */
export async function beyondTheWindow(
  page: Page,
  scrolled = ".hidden, pre.code",
): Promise<(number | string)[]> {
  return page.evaluate((scrolled) => {
    const width = document.documentElement.clientWidth;
    const reaching = [...document.querySelectorAll("body *")].filter(
      (element) =>
        element.getBoundingClientRect().right > width + 0.5 &&
        !element.closest(scrolled) &&
        // The end of a hash may be cut off.
        !element.parentElement?.closest(".hash"),
    );
    return [
      document.documentElement.scrollWidth,
      ...reaching.map(({ outerHTML }) => outerHTML.slice(0, 120)),
    ];
  }, scrolled);
}
