// If these fail, a copied address, Back or a reload shows something else than what was there.

import assert from "node:assert/strict";
import test from "node:test";
import { open, ready } from "./harness.mjs";
import { clock, complete, press, twin } from "./playground.mjs";

/** Run, moment and picture. */
const state = async (page) => ({
  run: await page.evaluate(() => location.hash.split("?")[0]),
  time: await clock(page),
  words: await twin(page),
});

test("a reload and a copied address lead to the same run and moment", async (t) => {
  const { page, context, site } = await open(t, { hash: "#/p/poison-message?t=3.000" });
  await complete(page);
  await page.click("#rail-do");
  await page.getByRole("button", { name: "Start another" }).click();
  await complete(page);
  await press(page, "Shift+ArrowRight", 2);
  await page.waitForTimeout(800);
  const before = await state(page);
  await page.reload();
  await ready(page);
  await complete(page);
  await page.waitForTimeout(300);
  assert.deepEqual(await state(page), before);
  const other = await context.newPage();
  await other.goto(site.url + (await page.evaluate(() => location.hash)));
  await ready(other);
  await complete(other);
  await other.waitForTimeout(300);
  assert.deepEqual(await state(other), before);
});

test("Back leads to the run before an act, Forward to the run after it", async (t) => {
  const { page } = await open(t, { hash: "#/p/slow-message?t=6.000" });
  await complete(page);
  await page.waitForTimeout(800);
  const before = await state(page);
  await page.click("#rail-do");
  await page.getByRole("button", { name: "Start another" }).click();
  await complete(page);
  await page.waitForTimeout(800);
  const after = await state(page);
  assert.notEqual(after.run, before.run);
  await page.goBack();
  await complete(page);
  await page.waitForTimeout(300);
  assert.deepEqual(await state(page), before);
  await page.goForward();
  await complete(page);
  await page.waitForTimeout(300);
  assert.deepEqual(await state(page), after);
});

test("a link that cannot be read ends on the start page with its text", async (t) => {
  const { page, shot } = await open(t, { hash: "#/r/1AAAAcutOff" });
  assert.match(await page.locator("h2").first().innerText(), /cannot be read/);
  assert.equal(await page.inputValue("textarea"), "#/r/1AAAAcutOff");
  await shot("unreadable");
  await page.click("a.go");
  await page.waitForSelector(".stage-svg");
});

test("what a visitor did is kept, and opening something else does not overwrite it", async (t) => {
  const { page } = await open(t, { hash: "#/p/slow-message?t=6.000" });
  await complete(page);
  await page.click("#rail-do");
  await page.getByRole("button", { name: "Start another" }).click();
  await complete(page);
  await page.waitForTimeout(600);
  const mine = await page.evaluate(() => location.hash.split("?")[0]);
  await page.click("a.home");
  await page.locator(".group li a").nth(3).click();
  await complete(page);
  await page.reload();
  await ready(page);
  await complete(page);
  await page.evaluate(() => { location.hash = "#/"; });
  await page.locator(".door").nth(1).locator("li a").first().click();
  await complete(page);
  assert.equal(await page.evaluate(() => location.hash.split("?")[0]), mine);
});

test("copying the link says so", async (t) => {
  const { page, context } = await open(t, { hash: "#/p/start-up" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await complete(page);
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.waitForSelector(".notice");
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /#\/r\/1/);
});

test("another version of RocketMQ keeps the moment and makes another address", async (t) => {
  const { page } = await open(t, { hash: "#/p/poison-message?t=20.350" });
  await complete(page);
  const before = await state(page);
  await page.getByRole("button", { name: "5.x" }).click();
  await complete(page);
  await page.waitForTimeout(600);
  const after = await state(page);
  assert.equal(after.time, before.time);
  assert.notEqual(after.run, before.run);
});
