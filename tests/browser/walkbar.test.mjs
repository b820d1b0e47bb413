// If these fail, the walkthrough's bar does not play, go back or stop where it says, or takes room that it must not.

import assert from "node:assert/strict";
import test from "node:test";
import { open } from "./harness.mjs";
import { accessible, complete, drawn, fits } from "./playground.mjs";
import { bar, captions, saying } from "./walks.mjs";

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
    // Its third step has a long sentence on a wait under it.
    const { page, shot } = await open(t, { size, hash: "#/p/poison-message", motion: false });
    await complete(page);
    for (let step = 0; step < 3; step += 1) await page.locator(".walk .forward").click();
    await drawn(page);
    assert.ok((await bar(page)).isWhole);
    await fits(page, `walkthrough, ${size}`);
    const { right } = await page.locator(".walk").evaluate((bar) => bar.getBoundingClientRect());
    assert.ok(right <= page.viewportSize().width, `the bar ends at ${right} px`);
    await accessible(page, `walkthrough, ${size}`);
    await shot(`walk-${size}`);
  });
}
