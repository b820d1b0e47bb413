// If these fail, the page does not say what must hold, where it broke, who owned which queue, or who asked whom.

import assert from "node:assert/strict";
import test from "node:test";
import { open } from "./harness.mjs";
import { accessible, clock, complete, fits, milliseconds, press } from "./playground.mjs";

const SILENCE = "#/p/minute-of-silence";

/** The rows of the checks as [state, rule]. */
const rows = (page) => page.locator("table.checks tr:not(.part)").evaluateAll((all) =>
  all.slice(1).map((row) => [row.cells[0]?.innerText.trim(), row.cells[1]?.innerText.trim()]));

/** Everything of the run is checked. */
const checked = (page) => page.waitForFunction(() => !/checking|检查中/.test(document.querySelector(".chart-head .sentence")?.textContent ?? ""));

const WORDS = {
  en: { holds: /holds/, broke: /broke at T\+01:15\.502/, silent: /q1 has been silent since T\+00:45\.502/ },
  zh: { holds: /成立/, broke: /T\+01:15\.502 起不成立/, silent: /q1 自 T\+00:45\.502 起没有动静/ },
};

for (const language of ["en", "zh"]) {
  test(`the checks say what holds and what broke, and lead there: ${language}`, async (t) => {
    const { page, shot } = await open(t, { hash: `${SILENCE}?t=80.000`, language });
    await complete(page);
    await press(page, "4");
    await checked(page);
    assert.equal(await page.getAttribute("#dock-checks", "aria-selected"), "true");
    const all = await rows(page);
    assert.ok(all.length >= 50, `${all.length} rules`);
    const words = WORDS[language];
    assert.match(all[0][0], words.holds);
    const broken = all.filter(([state]) => words.broke.test(state));
    assert.equal(broken.length, 2, JSON.stringify(all.slice(0, 6)));
    assert.match(broken.map(([, rule]) => rule).join(" "), words.silent);
    await page.locator("table.checks .broke .link").first().click();
    assert.equal(await clock(page), "T+01:15.502");
    assert.match(await page.locator(".break-banner").innerText(), words.silent);
    assert.ok(await page.locator(".badges g").count() > 0, "no badge at what is broken");
    await accessible(page, "checks");
    await shot(`checks-${language}`);
  });
}

test("playing stops where a check breaks if one wishes so, and it is said at once", async (t) => {
  const { page } = await open(t, { hash: `${SILENCE}?t=72.000` });
  await complete(page);
  await page.click("#dock-checks");
  await checked(page);
  const before = await page.locator("table.checks .will").count();
  assert.equal(before, 2, "what will break is not told");
  await page.locator(".chart-head .chip").click();
  await page.locator(".play").click();
  await page.waitForFunction(() => /✖/.test(document.querySelector("#alarm").textContent), null, { timeout: 60_000 });
  await page.waitForFunction(() => /T\+01:15\.502/.test(document.querySelector(".clock b")?.textContent));
  assert.match(await page.locator("#alarm").innerText(), /T\+01:15\.502/);
});

test("what a killed consumer had done comes twice, and nothing else breaks", async (t) => {
  const { page } = await open(t, { hash: "#/p/stop-or-kill?t=40.000" });
  await complete(page);
  await page.click("#dock-checks");
  await checked(page);
  const broken = (await rows(page)).filter(([state]) => /broke/.test(state));
  assert.equal(broken.length, 1);
  assert.match(broken[0][1], /delivered again, to c1/);
});

test("the checks fit a phone", async (t) => {
  const { page, shot } = await open(t, { hash: "#/p/stop-or-kill?t=40.000", size: "phone" });
  await complete(page);
  await page.getByRole("button", { name: "Charts" }).click();
  await page.click("#dock-checks");
  await checked(page);
  assert.ok(await page.locator("table.checks .broke").count() === 1);
  await fits(page, "checks on a phone");
  await accessible(page, "checks on a phone");
  await shot("checks-phone");
});

test("a queue without an owner is a gap in the chart, a sentence, and a row of the table", async (t) => {
  const { page, shot } = await open(t, { hash: `${SILENCE}?t=125.000` });
  await complete(page);
  await page.click("#dock-charts");
  await page.getByRole("button", { name: "Owners" }).click();
  await page.getByRole("button", { name: "Expand" }).click();
  assert.match(await page.locator(".chart-head").innerText(), /q1 had no owner for 76\.0 s, from T\+00:45\.000 to T\+02:01\.002/);
  await page.waitForFunction(() => /nobody/.test(document.querySelector(".chart")?.textContent));
  assert.match(await page.locator(".chart").getAttribute("aria-label"), /q1 had no owner/);
  await accessible(page, "owners");
  await shot("owners");
  await page.getByRole("button", { name: "As a table" }).click();
  const table = await page.locator(".table-twin").innerText();
  assert.match(table, /q1\s+nobody\s+–\s+0:45\.000\s+2:01\.002/);
  assert.match(table, /q1\s+lock at the broker\s+c2 \(gone\)\s+0:00\.031\s+1:41\.001/);
  await accessible(page, "owners as a table");
});

test("the shelf's chart names its limits", async (t) => {
  const { page } = await open(t, { hash: "#/p/flow-control-span?t=35.000", theme: "dark" });
  await complete(page);
  await page.click("#dock-charts");
  await page.getByRole("button", { name: "Shelf", exact: true }).click();
  await page.getByRole("button", { name: "Expand" }).click();
  await page.waitForFunction(() => /limit of the offset span: 7/.test(document.querySelector(".chart")?.textContent));
  assert.match(await page.locator(".chart").textContent(), /offset span 14/);
  await page.getByRole("button", { name: "As a table" }).click();
  assert.match(await page.locator(".table-twin").innerText(), /Offset span/);
  await accessible(page, "shelf as a table");
});

for (const [language, theme] of [["en", "light"], ["zh", "dark"]]) {
  test(`the sequence shows who asked whom, and a row leads to its event: ${language}, ${theme}`, async (t) => {
    const { page, shot } = await open(t, { hash: `${SILENCE}?t=30.100`, language, theme });
    await complete(page);
    await press(page, "3");
    await page.locator(".dock-height").click();
    await page.waitForSelector(".sequence-svg");
    const words = await page.locator(".sequence-svg").textContent();
    assert.match(words, /41 LOCK_BATCH_MQ/);
    assert.match(words, /⟪/);
    assert.match(await page.locator(".sequence-heads").textContent(), /broker-a.*c1/);
    await accessible(page, "sequence");
    await shot(`sequence-${language}`);
    const row = page.locator(".seq-row[role=button]").first();
    const moment = milliseconds((await row.getAttribute("aria-label")).split(" ")[0]);
    await row.focus();
    await page.keyboard.press("Enter");
    // It leads to the end of the beat in which the call is told: to a state.
    await page.waitForFunction(() => document.querySelector(".clock b")?.textContent !== "T+00:30.100");
    const later = milliseconds(await clock(page)) - moment;
    assert.ok(later >= 0 && later <= 120, `${later} ms after the row`);
  });
}

test("the sequence scrolls within its place on a phone", async (t) => {
  const { page, shot } = await open(t, { hash: `${SILENCE}?t=46.000`, size: "phone" });
  await complete(page);
  await page.getByRole("button", { name: "Charts" }).click();
  await page.click("#dock-sequence");
  await page.waitForSelector(".sequence-svg");
  await fits(page, "sequence on a phone");
  await shot("sequence-phone");
});
