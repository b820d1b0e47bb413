// If these fail, what a visitor did is lost, or the page is blank where the browser keeps nothing.

import assert from "node:assert/strict";
import test from "node:test";
import { open, ready } from "./harness.mjs";
import { accessible, complete, fits, press } from "./playground.mjs";

const SLOW = "#/p/slow-message?t=6.000";

async function addConsumer(page) {
  await page.click("#rail-do");
  await page.getByRole("button", { name: "Start another" }).click();
  await complete(page);
  await page.waitForTimeout(500);
}

async function startPage(page) {
  await page.evaluate(() => { location.hash = "#/"; });
  await page.waitForSelector("a.go");
}

const ownLines = (page) => page.locator(".own li").allInnerTexts();

/** Storage throws when it is asked for, as where cookies are blocked; or takes nothing, as where it is full. */
const BLOCKED = () => {
  Object.defineProperty(window, "localStorage", { get() { throw new DOMException("denied", "SecurityError"); } });
};
const FULL = () => {
  Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
};

for (const [what, block] of [["throws", BLOCKED], ["takes nothing", FULL]]) {
  test(`where storage ${what} everything works, and it is said once that nothing is kept`, async (t) => {
    const { page, context, url } = await open(t);
    const other = await context.newPage();
    const uncaught = [];
    other.on("pageerror", (error) => uncaught.push(error.message));
    await other.addInitScript(block);
    await other.goto(url + SLOW);
    await ready(other);
    await other.locator(".notice", { hasText: "keeps nothing" }).waitFor();
    await complete(other);
    await other.getByRole("button", { name: "Close this notice" }).click();
    await other.keyboard.press("l");
    await other.keyboard.press("l");
    await addConsumer(other);
    await startPage(other);
    await other.getByRole("button", { name: "Dark" }).click();
    assert.equal(await other.getAttribute("html", "data-theme"), "dark");
    if (what === "throws") assert.equal(await other.locator(".own li").count(), 1);
    await other.locator("a.go").click();
    await other.waitForSelector(".stage-svg");
    assert.equal(await other.locator(".notice", { hasText: "keeps nothing" }).count(), 0, "said twice");
    assert.deepEqual(uncaught, []);
    await page.close();
  });
}

test("two windows keep their runs beside each other, and each sees the other's at once", async (t) => {
  const { page, context, url } = await open(t, { hash: SLOW });
  await complete(page);
  const other = await context.newPage();
  await other.goto(url);
  await ready(other);
  await complete(other);
  await addConsumer(page);
  await addConsumer(other);
  await startPage(other);
  assert.equal(await other.locator(".own li").count(), 2);
  await startPage(page);
  assert.equal(await page.locator(".own li").count(), 2);
  await other.locator(".own li").first().getByRole("button", { name: /^Delete/ }).click();
  await other.locator(".own li").first().getByRole("button", { name: /^Delete for good/ }).click();
  await page.waitForFunction(() => document.querySelectorAll(".own li").length === 1);
  await page.reload();
  await ready(page);
  assert.equal(await page.locator(".own li").count(), 1);
});

test("own runs say what was done, when, and where one stood; they are renamed, and all are seen", async (t) => {
  const { page, shot } = await open(t, { hash: SLOW });
  for (let n = 0; n < 6; n += 1) {
    await page.evaluate((n) => { location.hash = `#/p/slow-message?t=${6 + n}.000`; }, n);
    await complete(page);
    await addConsumer(page);
    await page.evaluate(() => { location.hash = "#/help"; });
    await page.waitForSelector(".helppage");
  }
  await startPage(page);
  assert.equal(await page.locator(".own li").count(), 4);
  await page.getByRole("button", { name: "Show all 6" }).click();
  assert.equal(await page.locator(".own li").count(), 6);
  const [first] = await ownLines(page);
  assert.match(first, /1 act of yours/);
  assert.match(first, /c2/);
  assert.match(first, /\d{4}-\d\d-\d\d \d\d:\d\d, at T\+/);
  await page.locator(".own li").first().getByRole("button", { name: /^Rename/ }).click();
  await page.locator(".own form input").fill("For the class");
  await page.locator(".own form button").click();
  assert.match((await ownLines(page))[0], /For the class/);
  await fits(page, "start page with own runs");
  await accessible(page, "start page with own runs");
  await shot("own-runs", { fullPage: true });
  await page.reload();
  await ready(page);
  assert.match((await ownLines(page))[0], /For the class/);
});

test("a list that an older version of the page kept is brought over", async (t) => {
  const { page } = await open(t, { hash: SLOW });
  await complete(page);
  await addConsumer(page);
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((key) => key.startsWith("rocketmq-playground.run."));
    const { hash, title, deeds } = JSON.parse(localStorage.getItem(key));
    localStorage.clear();
    localStorage.setItem("rocketmq-playground.runs", JSON.stringify([{ hash, title, deeds, id: 7 }]));
    location.hash = "#/";
  });
  await page.reload();
  await ready(page);
  assert.equal(await page.locator(".own li").count(), 1);
  assert.equal(await page.evaluate(() => localStorage.getItem("rocketmq-playground.runs")), null);
});

test("undo takes the last act back after a reload", async (t) => {
  const { page } = await open(t, { hash: SLOW });
  await complete(page);
  const before = await page.evaluate(() => location.hash.split("?")[0]);
  await addConsumer(page);
  await page.reload();
  await ready(page);
  await complete(page);
  await page.click("#rail-do");
  assert.equal(await page.locator(".rail .deeds li").count(), 1);
  await page.locator(".rail").getByRole("button", { name: "Undo" }).click();
  await complete(page);
  await page.waitForFunction((before) => location.hash.split("?")[0] === before, before);
  assert.equal(await page.locator(".rail .deeds li").count(), 0);
});

test("a browser in zh-TW is told once that the text has simplified characters", async (t) => {
  const { page, shot } = await open(t, { language: "zh-TW" });
  const line = page.locator(".notice", { hasText: "簡體字" });
  await line.waitFor();
  await shot("zh-tw");
  await page.waitForTimeout(7_000);
  assert.ok(await line.isVisible(), "it went before it was read");
  await page.locator(".notice button").click();
  await page.reload();
  await ready(page);
  assert.equal(await line.count(), 0);
});

for (const language of ["en", "zh"]) {
  test(`a panic shows the crash page with the link to the run: ${language}`, async (t) => {
    const { page, shot } = await open(t, { hash: SLOW, language, allow: [/panicked|unreachable|broke on purpose/] });
    await complete(page);
    await page.waitForTimeout(600);
    const address = page.url();
    // The view cannot put nodes into the page any more.
    await page.evaluate(() => { Node.prototype.insertBefore = () => { throw new Error("broke on purpose"); }; });
    await page.keyboard.press("2");
    await page.waitForSelector(".crash");
    const said = await page.locator(".crash").innerText();
    assert.match(said, language === "en" ? /mistake of its own[\s\S]*What happened/ : /自身出错[\s\S]*错误信息/);
    assert.match(said, /panicked at/);
    assert.equal((await page.getAttribute(".crash a.address", "href")).split("?")[0], address.split("?")[0]);
    await shot(`crash-${language}`);
    await page.getByRole("button", { name: language === "en" ? "Open the run again" : "重新打开这次运行" }).click();
    await ready(page);
    await complete(page);
    assert.equal(page.url().split("?")[0], address.split("?")[0]);
  });
}

test("an error of ours, and a promise that nobody looks after, show the crash page; a stranger's error does not", async (t) => {
  for (const broken of ["throw new Error('ours broke')", "Promise.reject(new Error('ours broke'))"]) {
    const { page } = await open(t, { hash: "#/p/happy-path", allow: [/ours broke|stranger/] });
    await complete(page);
    await page.evaluate(() => { setTimeout(() => { throw new Error("a stranger broke"); }); void Promise.reject(new Error("a stranger broke")); });
    await press(page, "ArrowRight");
    await page.waitForTimeout(300);
    assert.equal(await page.locator(".crash").count(), 0);
    await page.route("**/broken.js", (route) => route.fulfill({ contentType: "text/javascript", body: `setTimeout(() => { ${broken}; })` }));
    await page.evaluate(() => { void import(new URL("./broken.js", document.baseURI).href); });
    await page.waitForSelector(".crash");
    assert.match(await page.locator(".crash").innerText(), /ours broke/);
    await page.getByRole("button", { name: "To the start page" }).click();
    await page.waitForSelector("a.go");
  }
});
