// If these fail, what a person does is not seen at once, or Play stops where it stands. Every step with every kind of act
// is tried without a browser (tests/acts.rs); here the page is, at one step of every preset.

import assert from "node:assert/strict";
import test from "node:test";
import { open } from "./harness.mjs";
import { clock, milliseconds, press } from "./playground.mjs";
import { captions, preset } from "./walks.mjs";

/** Presses a button of the panel; ms by the page's clock until the stage dims around what is told. */
const untilSeen = (page, name) => page.evaluate((name) => new Promise((done) => {
  const button = [...document.querySelectorAll(".rail button")].find((it) => it.textContent.trim() === name);
  const pressed = performance.now();
  button.click();
  const look = () => {
    const waited = performance.now() - pressed;
    const isSeen = document.querySelector(".stage-svg .mark.dim, .stage-svg .mark.dim-half, .moving-svg");
    if (isSeen || waited > 3_000) done(waited);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}), name);

for (const part of [0, 1]) {
  test(`an act at a step of every preset is seen at once, and Play goes on from there: half ${part + 1}`, async (t) => {
    const { page } = await open(t, {});
    for (const [at, { name, said }] of captions().entries()) {
      if (at % 2 !== part) continue;
      await preset(page, name);
      await page.click("#rail-do");
      const step = at % said.length;
      // Pressed twice it goes there at once.
      for (let n = 0; n <= step; n += 1) await press(page, "PageDown", 2);
      const waited = await untilSeen(page, at % 4 < 2 ? "Send" : "Start another");
      // Busy machines make frames late: a second would be another design.
      assert.ok(waited < 1_000, `${name}, step ${step + 1}: seen after ${waited.toFixed(0)} ms`);
      await page.waitForSelector(".play[aria-label=Play]");
      const before = milliseconds(await clock(page));
      await page.keyboard.press("Space");
      await page.waitForFunction((ms) => {
        const parts = document.querySelector(".clock b").textContent.replace("T+", "").split(":").map(Number);
        return parts.reduce((sum, part) => sum * 60 + part, 0) * 1000 > ms + 1;
      }, before, { timeout: 10_000 });
    }
  });
}
