// What the tests do on the page again and again, in a visitor's words.

import assert from "node:assert/strict";
import AxeBuilder from "@axe-core/playwright";

/** A run is computed in slices; when it is complete its address holds a moment. */
export async function complete(page) {
  await page.waitForFunction(() => /^#\/r\/1.*[?&]t=/.test(location.hash), null, { timeout: 30_000 });
}

/** The model's clock, `T+00:20.350`. */
export const clock = (page) => page.locator("b.num", { hasText: "T+" }).first().innerText();

/** What the stage says in words: the text twin. */
export const twin = (page) => page.locator(".twin").first().evaluate((twin) => twin.textContent);

/** What a screen reader was told last. */
export const news = (page) => page.locator("#news").textContent();

/** Milliseconds of `T+h:mm:ss.mmm`. */
export function milliseconds(text) {
  const parts = text.replace("T+", "").split(":").map(Number);
  return Math.round(parts.reduce((sum, part) => sum * 60 + part, 0) * 1000);
}

/** Presses a key so many times on the page itself, not in a field. */
export async function press(page, key, times = 1) {
  for (let n = 0; n < times; n += 1) await page.keyboard.press(key);
  await drawn(page);
}

/** Two frames on, what was asked for has been drawn, however busy the machine is. */
export async function drawn(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** axe finds nothing, on the whole page. */
export async function accessible(page, what) {
  const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]).analyze();
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join(" | ")}`);
  assert.deepEqual(told, [], `axe on ${what}`);
}

/** Nothing sticks out to the right, and no text is smaller than 16 px but for figures in discs. */
export async function fits(page, what) {
  const { sideways, small } = await page.evaluate(() => {
    const visible = (element) => element.checkVisibility({ opacityProperty: true }) && !element.closest(".visually-hidden, svg, [aria-hidden=true]");
    const tiny = [...document.querySelectorAll("body *")].filter((element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()) && visible(element)
      && parseFloat(getComputedStyle(element).fontSize) < 16 && !element.matches(".disc"));
    return {
      sideways: document.documentElement.scrollWidth - innerWidth,
      small: tiny.map((element) => `${element.tagName}.${element.className}: ${element.textContent.slice(0, 30)}`),
    };
  });
  assert.ok(sideways <= 0, `${what}: the page is ${sideways} px wider than the window`);
  assert.deepEqual(small, [], `${what}: small type`);
}
