// If these fail, a teacher cannot walk a class through a preset: a step does not come, says something else
// than its file, or lights nothing.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { open } from "./harness.mjs";
import { accessible, complete, drawn, fits, press } from "./playground.mjs";

const folder = fileURLToPath(new URL("../../src/scenario/presets/", import.meta.url));

/** Each preset's captions in both languages, read from its file. */
function captions() {
  const marks = /^\[\[mark\]\]\n(?:(?!\n\[\[)[^])*?caption = \{ en = "([^"]*)", zh = "([^"]*)" \}/gm;
  return readdirSync(folder).filter((name) => name.endsWith(".toml")).sort().map((name) => {
    const found = [...readFileSync(join(folder, name), "utf8").matchAll(marks)];
    return { name: name.replace(/(-marks)?\.toml$/, ""), said: found.map(([, en, zh]) => ({ en, zh })) };
  });
}

/** Opens a preset in the page as it is and waits until it is computed. */
async function preset(page, name) {
  await page.evaluate((hash) => { location.hash = hash; }, `#/p/${name}`);
  await page.waitForFunction(() => location.hash.startsWith("#/r/"));
  await complete(page);
}

/** What the bar says, whether all of it can be seen, and whether something on the stage is lit. */
const bar = (page) => page.evaluate(() => {
  const caption = document.querySelector(".walk .caption");
  const { fontSize } = getComputedStyle(caption);
  return {
    said: caption.textContent,
    isWhole: caption.scrollHeight <= caption.clientHeight + 1,
    isPast: caption.classList.contains("dim"),
    px: parseFloat(fontSize),
    number: document.querySelector(".walk .number").textContent,
    lit: document.querySelectorAll(".stage-svg [role=button][aria-pressed=true] .selected").length,
  };
});

/** Waits until the bar says it. */
const saying = (page, words) => page.waitForFunction(
  (wanted) => document.querySelector(".walk .caption")?.textContent === wanted, words, { timeout: 20_000 });

/** Waits until whoever hears the page has been told; what comes thick and fast is held back for a moment. */
const announced = (page, words) => page.waitForFunction(
  (wanted) => document.querySelector("#news").textContent.includes(wanted), words, { timeout: 5_000 });

/** The caption stands in the bar, whole and large, with its number, and one thing on the stage is lit. */
async function isTold(page, words, number, place) {
  const shown = await bar(page);
  assert.equal(shown.said, words, place);
  assert.equal(shown.number, number, place);
  assert.ok(shown.isWhole && !shown.isPast && shown.px >= 22, `${place}: ${JSON.stringify(shown)}`);
  assert.equal(shown.lit, 1, `${place} lights nothing`);
}

for (const part of [0, 1]) {
  test(`every preset, step by step, in both languages: half ${part + 1}`, async (t) => {
    const { page, shot } = await open(t, { motion: false });
    const all = captions();
    assert.equal(all.length, 19);
    for (const { name, said } of all.filter((_, at) => at % 2 === part)) {
      await preset(page, name);
      assert.ok(said.length >= 3 && said.length <= 7, `${name} has ${said.length} marks`);
      for (const [at, { en, zh }] of said.entries()) {
        await press(page, "PageDown");
        await isTold(page, en, `${at + 1} of ${said.length}`, `${name}, step ${at + 1}`);
        await press(page, "l");
        await isTold(page, zh, `${at + 1} / ${said.length}`, `${name}, step ${at + 1}, Chinese`);
        await press(page, "l");
      }
      await announced(page, said.at(-1).en);
      assert.equal(await page.getAttribute(".walk .forward", "aria-disabled"), "true");
    }
    await shot(`walk-${part}`);
  });
}

test("next plays to the step and stops there; pressed on the way, it jumps; previous goes back", async (t) => {
  const { page, shot } = await open(t, { hash: "#/p/start-up" });
  await complete(page);
  const said = captions().find(({ name }) => name === "start-up").said.map(({ en }) => en);
  await page.click(".walk .forward");
  await saying(page, said[0]);
  await page.waitForFunction(() => document.querySelector(".keys .play").getAttribute("aria-label") === "Play");
  await page.keyboard.press("n");
  await page.waitForFunction(() => document.querySelector(".keys .play").getAttribute("aria-label") === "Pause");
  await page.keyboard.press("n");
  await drawn(page);
  assert.equal((await bar(page)).said, said[1]);
  await page.keyboard.press("PageUp");
  await drawn(page);
  assert.equal((await bar(page)).said, said[0]);
  await shot("walk-played");
  await page.waitForTimeout(1_200);
  const address = await page.evaluate(() => location.href);
  await page.goto("about:blank");
  await page.goto(address);
  await saying(page, said[0]);
});

test("the bar takes nothing from the stage, and can be put away", async (t) => {
  const { page } = await open(t, { hash: "#/p/minute-of-silence" });
  await complete(page);
  const height = () => page.locator(".stage").evaluate((stage) => stage.clientHeight);
  assert.ok(await height() >= 496, `the stage is ${await height()} px high`);
  assert.equal(await page.locator(".star").count(), 7);
  await page.getByRole("button", { name: "Walkthrough" }).click();
  assert.equal(await page.locator(".walk").count(), 0);
  assert.ok(await height() >= 496);
});

for (const size of ["projector", "desktop", "phone"]) {
  test(`a walkthrough fits and is accessible: ${size}`, async (t) => {
    const { page, shot } = await open(t, { size, hash: "#/p/minute-of-silence", motion: false });
    await complete(page);
    for (let step = 0; step < 4; step += 1) await page.locator(".walk .forward").click();
    await drawn(page);
    assert.ok((await bar(page)).isWhole);
    await fits(page, `walkthrough, ${size}`);
    await accessible(page, `walkthrough, ${size}`);
    await shot(`walk-${size}`);
  });
}
