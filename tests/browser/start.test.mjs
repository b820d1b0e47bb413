// If these fail, a first-time visitor does not get from the start page to a moving stage.

import assert from "node:assert/strict";
import test from "node:test";
import { open } from "./harness.mjs";
import { accessible, clock, complete, fits, milliseconds } from "./playground.mjs";

for (const size of ["projector", "desktop", "phone"]) {
  test(`the start page fits, says what this is and is accessible: ${size}`, async (t) => {
    const { page, shot } = await open(t, { size });
    assert.match(await page.locator("h2").first().innerText(), /Push is a pull that waits/);
    assert.equal(await page.locator(".group li").count(), 19);
    await fits(page, "start page");
    await accessible(page, "start page");
    await shot(`start-${size}`);
  });
}

test("one click runs the first preset, and it plays at once", async (t) => {
  const { page, shot } = await open(t);
  await page.click("a.go");
  await page.waitForSelector(".stage-svg");
  assert.match(await page.title(), /Forty messages/);
  const before = await clock(page);
  await page.waitForTimeout(2_500);
  await shot("first-preset");
  assert.ok(milliseconds(await clock(page)) > milliseconds(before), "time stands still");
  assert.ok(await page.locator(".stage-svg [role=button]").count() > 10);
  await page.goBack();
  await page.waitForSelector("a.go");
});

test("the first preset has ticks of the real deliveries beside the model's", async (t) => {
  const { page, shot } = await open(t, { hash: "#/p/happy-path?t=9.500" });
  await complete(page);
  assert.ok(await page.locator(".real-tick").count() >= 20);
  await page.click("#dock-charts");
  await page.waitForSelector(".chart svg svg, .chart > svg:not(.defs)");
  await shot("real-ticks");
});

test("language and theme change at once, and stay after a reload", async (t) => {
  const { page, shot } = await open(t);
  await page.getByRole("button", { name: "中文" }).click();
  assert.match(await page.locator("h2").first().innerText(), /推送/);
  assert.equal(await page.getAttribute("html", "lang"), "zh-Hans");
  await page.getByRole("button", { name: "深色" }).click();
  await shot("start-dark-zh");
  await page.reload();
  await page.waitForSelector("main");
  assert.match(await page.locator("h2").first().innerText(), /推送/);
  assert.equal(await page.getAttribute("html", "data-theme"), "dark");
  await accessible(page, "start page, dark, Chinese");
});

test("a browser that speaks Chinese is answered in Chinese", async (t) => {
  const { page } = await open(t, { language: "zh" });
  assert.equal(await page.getAttribute("html", "lang"), "zh-Hans");
});

test("the help page tells keys and where articles err, and leads back", async (t) => {
  const { page, shot } = await open(t, { hash: "#/help" });
  assert.ok(await page.locator("kbd").count() > 15);
  assert.match(await page.locator(".articles").innerText(), /20 s in every release/);
  await fits(page, "help");
  await accessible(page, "help");
  await shot("help", { fullPage: true });
  await page.getByRole("link", { name: "Back" }).click();
  await page.waitForSelector("a.go");
});
