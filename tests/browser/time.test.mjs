// If these fail, time cannot be moved as it says: the bar, the field, the keys, and what a teacher hides.

import assert from "node:assert/strict";
import test from "node:test";
import { open } from "./harness.mjs";
import { accessible, clock, complete, drawn, news, press } from "./playground.mjs";

const POISON = "#/p/poison-message?t=20.350";

test("an arrow on the time bar is one told step, and a click on it frames nothing", async (t) => {
  const { page, shot } = await open(t, { hash: POISON });
  await complete(page);
  await press(page, "ArrowRight");
  const after = await clock(page);
  await press(page, "ArrowLeft");
  await page.locator(".trans input[type=range]").focus();
  await press(page, "ArrowRight");
  assert.equal(await clock(page), after);
  await press(page, "ArrowDown");
  await press(page, "ArrowUp");
  assert.equal(await clock(page), after);
  await page.mouse.click(200, 300);
  const bar = await page.locator(".trans .scrub").boundingBox();
  await page.mouse.click(bar.x + bar.width / 2, bar.y + 35);
  const framed = await page.evaluate(() => [...document.querySelectorAll(".scrub, .scrub svg")].filter((it) => getComputedStyle(it).outlineStyle !== "none").length);
  assert.equal(framed, 0);
  const here = await clock(page);
  await press(page, "ArrowRight");
  assert.notEqual(await clock(page), here);
  await shot("time-bar");
});

test("after a click on a tab, on a button or on a thing of the stage, keys still move time", async (t) => {
  const { page } = await open(t, { hash: POISON });
  await complete(page);
  await press(page, "Home");
  const start = await clock(page);
  await press(page, "Shift+ArrowRight", 3);
  for (const place of ["#dock-charts", "#rail-do", "#dock-log", ".top .walk-switch", ".stage-svg [data-stop='3']"]) {
    await page.locator(place).click({ position: { x: 4, y: 4 }, force: true });
    const before = await clock(page);
    await press(page, "Shift+ArrowRight");
    assert.notEqual(await clock(page), before, `→ after a click on ${place}`);
    await press(page, "Home");
    assert.equal(await clock(page), start, `Home after a click on ${place}`);
    await page.keyboard.press("Space");
    await page.waitForSelector(".play[aria-label=Pause]");
    await page.keyboard.press("Space");
    await page.waitForSelector(".play[aria-label=Play]");
    await press(page, "Shift+ArrowRight", 3);
  }
});

test("the bar has a scale, its signs say what they are, and the legend lists them", async (t) => {
  const { page, shot } = await open(t, { hash: POISON });
  await complete(page);
  const figures = await page.locator(".trans .figure").allTextContents();
  assert.ok(figures.length >= 4 && figures.every((figure) => /^\d+:\d\d(:\d\d)?$/.test(figure)), figures.join());
  const bar = await page.locator(".trans .scrub").boundingBox();
  const star = await page.locator(".trans .star").first().boundingBox();
  await page.mouse.move(star.x + star.width / 2, bar.y + 35);
  await page.waitForSelector(".sign-tip");
  assert.match(await page.locator(".sign-tip").innerText(), /T\+.* a step of the walkthrough|T\+/);
  await page.getByRole("button", { name: "Signs" }).click();
  const lines = await page.locator(".legend li").allInnerTexts();
  assert.ok(lines.length >= 12 && lines.every(Boolean), lines.join("|"));
  await accessible(page, "legend");
  await shot("time-legend");
  await press(page, "Escape");
  assert.equal(await page.locator(".legend").count(), 0);
});

for (const [language, wrong] of [["en", /soon.*1:41, 101 s or 1m41s/], ["zh", /soon.*1:41、101s 或 1m41s/]]) {
  test(`one can go to a time, and what is none is said to be none: ${language}`, async (t) => {
    const { page, shot } = await open(t, { hash: POISON, language });
    await complete(page);
    await page.locator(".time-now").click();
    await page.keyboard.type("soon");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#time-problem");
    assert.match(await page.locator("#time-problem").innerText(), wrong);
    await accessible(page, "go to a time");
    await shot(`time-field-${language}`);
    await page.locator("#time-field").fill("1m41s");
    await page.keyboard.press("Enter");
    await drawn(page);
    assert.equal(await clock(page), "T+01:41.000");
    assert.equal(await page.locator(".time-form").count(), 0);
    await press(page, "g");
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".time-form").count(), 0);
  });
}

test("B and the remote's point make the screen dark, and any key brings it back and does nothing else", async (t) => {
  const { page } = await open(t, { hash: POISON });
  await complete(page);
  const before = await clock(page);
  for (const [dark, light] of [["b", "ArrowRight"], [".", " "], ["b", "q"]]) {
    await press(page, dark);
    await page.waitForSelector(".blank");
    assert.equal(await page.evaluate(() => document.elementFromPoint(innerWidth / 2, innerHeight / 2).id), "blank");
    await press(page, light);
    assert.equal(await page.locator(".blank").count(), 0);
    assert.equal(await clock(page), before);
  }
  await press(page, "b");
  await page.mouse.click(300, 300);
  assert.equal(await page.locator(".blank").count(), 0);
});

test("Z gives the stage the whole window and takes it back", async (t) => {
  const { page, shot } = await open(t, { hash: POISON });
  await complete(page);
  await press(page, "z");
  const { width, height } = await page.locator(".stage").boundingBox();
  assert.deepEqual([width, height], [1280, 720]);
  await shot("time-zoomed");
  await accessible(page, "zoomed");
  await press(page, "ArrowRight");
  await press(page, "Escape");
  assert.ok(await page.locator(".top").isVisible());
});

test("captions and what is to come wait until they are asked for", async (t) => {
  const { page, shot } = await open(t, { hash: "#/p/poison-message", motion: false });
  await complete(page);
  await page.locator(".walk .forward").click();
  const words = await page.locator(".walk .caption").innerText();
  await press(page, "h");
  assert.doesNotMatch(await page.locator(".walk").innerText(), new RegExp(words.slice(0, 20)));
  await page.getByRole("button", { name: "Show the caption" }).click();
  assert.equal(await page.locator(".walk .caption").innerText(), words);
  const stars = () => page.locator(".trans .star").count();
  const before = await stars();
  await press(page, "u");
  assert.ok(await stars() < before, `${await stars()} of ${before} stars`);
  assert.equal(await page.locator("table.log tr.plan").first().evaluate((row) => getComputedStyle(row).visibility), "hidden");
  await shot("time-hidden");
  await press(page, "u");
  assert.equal(await stars(), before);
});

test("while next is under way its button says what a second press does", async (t) => {
  const { page } = await open(t, { hash: "#/p/start-up" });
  await complete(page);
  await page.locator(".walk .forward").click();
  await page.waitForFunction(() => /Skip to it/.test(document.querySelector(".walk .forward").textContent));
  await page.locator(".walk .forward").click();
  await page.waitForFunction(() => /Next/.test(document.querySelector(".walk .forward").textContent));
});

test("playing and pausing are said aloud", async (t) => {
  const { page } = await open(t, { hash: POISON });
  await complete(page);
  await page.waitForTimeout(2_100);
  await page.keyboard.press("Space");
  await page.waitForFunction(() => /Playing/.test(document.querySelector("#news").textContent), null, { timeout: 4_000 });
  await page.keyboard.press("Space");
  await page.waitForFunction(() => /Paused at T\+/.test(document.querySelector("#news").textContent), null, { timeout: 4_000 });
  assert.match(await news(page), /Paused/);
});

test("the log is one stop for Tab with arrows inside", async (t) => {
  const { page } = await open(t, { hash: POISON });
  await complete(page);
  const stops = page.locator(".dock .scroll :is([tabindex='0'], button:not([tabindex]))");
  assert.equal(await stops.count(), 1);
  await stops.first().focus();
  const place = () => page.evaluate(() => [document.activeElement.dataset.row, document.activeElement.dataset.column].join());
  const [row] = (await place()).split(",").map(Number);
  const before = await clock(page);
  await press(page, "ArrowDown");
  assert.equal(await place(), `${row + 1},time`);
  await press(page, "ArrowRight");
  assert.equal(await place(), `${row + 1},why`);
  await press(page, "End");
  await page.waitForFunction(() => Number(document.activeElement.dataset.row) > 200);
  assert.equal(await clock(page), before, "an arrow in the log moved time");
  assert.equal(await stops.count(), 1);
});
