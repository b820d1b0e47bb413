// If these fail, a visitor cannot play, step, look into things or act.

import assert from "node:assert/strict";
import test from "node:test";
import { open } from "./harness.mjs";
import { accessible, clock, complete, fits, milliseconds, news, press, twin } from "./playground.mjs";

/** Selects a mark of the stage as one does by keyboard: many lie over one another. */
async function choose(page, name) {
  const mark = page.locator(`.stage-svg [role=button][aria-label*="${name}"]`).first();
  await mark.focus();
  await page.keyboard.press("Enter");
}

const POISON = "#/p/poison-message";

for (const size of ["projector", "desktop"]) {
  for (const theme of ["light", "dark"]) {
    test(`the poison message at level 4 fits and is accessible: ${size}, ${theme}`, async (t) => {
      const { page, shot } = await open(t, { hash: `${POISON}?t=20.350`, size, theme });
      await complete(page);
      assert.equal(await clock(page), "T+00:20.350");
      await fits(page, "run page");
      await accessible(page, "run page");
      await shot(`poison-${size}-${theme}`);
    });
  }
}

test("playing at the fastest pace reaches the dead letter", async (t) => {
  const { page, shot } = await open(t, { hash: POISON });
  await complete(page);
  await page.selectOption(".pace", { label: "fastest" });
  await page.getByRole("button", { name: "Walkthrough" }).click();
  await page.click(".play");
  await page.waitForFunction(() => /Dead letters of bill: 1 message/.test(document.querySelector(".twin").textContent), null, { timeout: 60_000 });
  await page.click(".play");
  await shot("dead-letter");
});

test("a step forward and a step back lead to the same picture", async (t) => {
  const { page } = await open(t, { hash: `${POISON}?t=5.000` });
  await complete(page);
  await press(page, "ArrowRight");
  const [time, words] = [await clock(page), await twin(page)];
  await press(page, "ArrowRight", 3);
  assert.notEqual(await twin(page), words);
  await press(page, "ArrowLeft", 3);
  assert.equal(await clock(page), time);
  assert.equal(await twin(page), words);
  assert.ok((await news(page)).length > 0, "nothing is announced");
});

test("a fold says who waits for what until when", async (t) => {
  const { page, shot } = await open(t, { hash: `${POISON}?t=100.000` });
  await complete(page);
  await press(page, "f");
  await page.waitForFunction(() => document.querySelector(".fold b"));
  assert.match(await page.locator(".fold b").innerText(), /⟪ [\d.]+ (s|min) ⟫/);
  assert.match(await page.locator(".fold span").innerText(), /until|at T\+|T\+/);
  await shot("fold");
});

test("any mark opens the inspector; a shelf shows its red-black tree", async (t) => {
  const { page, shot } = await open(t, { hash: `${POISON}?t=20.350` });
  await complete(page);
  await choose(page, "Queue q0");
  assert.match(await page.locator(".rail h2").first().innerText(), /q0/);
  await page.waitForFunction(() => /sel=q\./.test(location.hash));
  await choose(page, "Shelf q0 of c1");
  await page.locator(".tree-box button").click();
  assert.ok(await page.locator("svg.tree circle").count() >= 4);
  await accessible(page, "inspector with tree");
  await shot("tree");
});

test("the log is a long table of which little is in the document; rows lead to their moment", async (t) => {
  const { page } = await open(t, { hash: `${POISON}?t=20.350` });
  await complete(page);
  const total = Number(await page.getAttribute("table.log", "aria-rowcount"));
  assert.ok(total > 300, `${total} rows`);
  assert.ok(await page.locator("table.log tbody tr").count() < 80);
  const [now, later] = ["tr.now", "tr.plan"].map((name) => page.locator(`table.log ${name}`).first());
  assert.match(await later.locator("td").first().innerText(), /not yet/);
  assert.doesNotMatch(await now.locator("td").first().innerText(), /not yet/);
  const row = page.locator("table.log tr.plan button").first();
  const time = await row.innerText();
  await row.click();
  assert.equal((await clock(page)).replace("T+0", ""), time);
  assert.match(await page.locator("table.log").innerText(), /11 PULL_MESSAGE|310 SEND_MESSAGE|36 CONSUMER_SEND_MSG_BACK|34 HEART_BEAT|15 UPDATE_CONSUMER_OFFSET/);
  await page.getByRole("button", { name: "send", exact: true }).click();
  assert.ok(Number(await page.getAttribute("table.log", "aria-rowcount")) < total);
});

test("the chart names its lines, says its sentence and has the same numbers as a table", async (t) => {
  const { page, shot } = await open(t, { hash: `${POISON}?t=20.350` });
  await complete(page);
  await page.click("#dock-charts");
  await page.getByRole("button", { name: "Expand" }).click();
  await page.waitForFunction(() => /M 23/.test(document.querySelector(".chart")?.textContent));
  assert.match(await page.locator(".chart-head").innerText(), /C has stood at 16/);
  await shot("chart");
  await page.getByRole("button", { name: "As a table" }).click();
  assert.match(await page.locator(".table-twin").innerText(), /23/);
  await accessible(page, "chart as a table");
});

test("a message that fails is sent, a consumer is added and stopped, and all is undone", async (t) => {
  const { page, shot } = await open(t, { hash: "#/p/slow-message?t=6.000" });
  await complete(page);
  await page.click("#rail-do");
  await page.locator(".send select").first().selectOption({ label: "fails twice, then succeeds" });
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("button", { name: "Start another" }).click();
  await complete(page);
  assert.equal(await page.locator(".rail .deeds li").count(), 2);
  await accessible(page, "do");
  await shot("do");
  await press(page, "Shift+ArrowRight", 4);
  await page.getByRole("button", { name: "c2: Stop" }).click();
  await complete(page);
  assert.equal(await page.locator(".rail .deeds li").count(), 3);
  await press(page, "End");
  assert.equal(await page.getByRole("button", { name: "c2: Stop" }).count(), 0);
  for (let n = 0; n < 3; n += 1) await page.locator(".rail").getByRole("button", { name: "Undo" }).click();
  assert.equal(await page.locator(".rail .deeds li").count(), 0);
});

test("everything needed works from the keyboard alone", async (t) => {
  const { page } = await open(t);
  for (let n = 0; n < 12; n += 1) {
    await press(page, "Tab");
    if (await page.evaluate(() => document.activeElement?.matches("a.go"))) break;
  }
  await press(page, "Enter");
  await page.waitForSelector(".stage-svg");
  await press(page, "Space"); // it plays
  await complete(page);
  await press(page, "ArrowRight", 2);
  await press(page, "d");
  assert.equal(await page.getAttribute("#rail-do", "aria-selected"), "true");
  await press(page, "2");
  assert.equal(await page.getAttribute("#dock-charts", "aria-selected"), "true");
  await page.locator(".pace").focus();
  const before = await clock(page);
  await press(page, "ArrowRight");
  assert.equal(await clock(page), before, "a field's arrow moved time");
  await press(page, "?");
});

test("with reduced motion each step is a cut, and playing ticks each half second", async (t) => {
  const { page } = await open(t, { hash: "#/p/happy-path?t=7.000", motion: false });
  await complete(page);
  const before = milliseconds(await clock(page));
  await page.keyboard.press("Space");
  await page.waitForTimeout(1_800);
  await page.keyboard.press("Space");
  assert.ok(milliseconds(await clock(page)) > before);
});
