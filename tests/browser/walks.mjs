// What the tests of walkthroughs do: captions as the preset files have them, and what the bar shows.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { complete } from "./playground.mjs";

const folder = fileURLToPath(new URL("../../src/scenario/presets/", import.meta.url));

/** Each preset's captions in both languages under 4.2.0, read from its file. */
export function captions() {
  const marks = /^\[\[mark\]\]\n(?:(?!\n\[\[)[^])*?caption = \{ en = "([^"]*)", zh = "([^"]*)" \}((?:(?!\n\[\[)[^])*)/gm;
  const isOfItsRelease = ([, , , rest]) => !rest.includes("releases =") || rest.includes('"V42"');
  return readdirSync(folder).filter((name) => name.endsWith(".toml")).sort().map((name) => {
    const found = [...readFileSync(join(folder, name), "utf8").matchAll(marks)].filter(isOfItsRelease);
    return { name: name.replace(/(-marks)?\.toml$/, ""), said: found.map(([, en, zh]) => ({ en, zh })) };
  });
}

/** Opens a preset in the page as it is and waits until it is computed. */
export async function preset(page, name) {
  await page.evaluate((hash) => { location.hash = hash; }, `#/p/${name}`);
  await page.waitForFunction(() => location.hash.startsWith("#/r/"));
  await complete(page);
}

/** What the bar says, whether all of it can be seen, and whether something on the stage is lit. */
export const bar = (page) => page.evaluate(() => {
  const caption = document.querySelector(".walk .caption");
  const { fontSize } = getComputedStyle(caption);
  return {
    said: caption.textContent,
    // The new words under it may be scrolled to, the caption itself is whole.
    isWhole: caption.getBoundingClientRect().bottom
      <= document.querySelector(".walk .said").getBoundingClientRect().bottom + 1,
    isPast: caption.classList.contains("dim"),
    px: parseFloat(fontSize),
    number: document.querySelector(".walk .number").textContent,
    // A message lies under the marker; anything else has a ring.
    lit: document.querySelectorAll(".stage-svg [role=button][aria-pressed=true]").length > 0
      && document.querySelectorAll(".stage-svg .selected, .stage-svg .band, .stage-svg .markf").length > 0,
  };
});

/** Waits until the bar says it. */
export const saying = (page, words) => page.waitForFunction(
  (wanted) => document.querySelector(".walk .caption")?.textContent === wanted, words, { timeout: 20_000 });

/** Waits until whoever hears the page has been told; what comes thick and fast is held back for a moment. */
export const announced = (page, words) => page.waitForFunction(
  (wanted) => document.querySelector("#news").textContent.includes(wanted), words, { timeout: 5_000 });
