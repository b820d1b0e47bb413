// If these fail, a teacher cannot walk a class through a preset: a step does not come, says something else
// than its file, or lights nothing.

import assert from "node:assert/strict";
import test from "node:test";
import { open } from "./harness.mjs";
import { press } from "./playground.mjs";
import { announced, bar, captions, preset, saying } from "./walks.mjs";

/** The caption stands in the bar, whole and large, with its number, and one thing on the stage is lit. */
async function isTold(page, words, number, place) {
  await saying(page, words).catch(() => {});
  const shown = await bar(page);
  assert.equal(shown.said, words, place);
  assert.equal(shown.number, number, place);
  assert.ok(shown.isWhole && !shown.isPast && shown.px >= 22, `${place}: ${JSON.stringify(shown)}`);
  assert.ok(shown.lit, `${place} lights nothing`);
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
