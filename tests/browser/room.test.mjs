// If these fail, the stage cannot be read in some window, or the page scrolls away, or something covers what it
// must not cover.

import assert from "node:assert/strict";
import test from "node:test";
import { open } from "./harness.mjs";
import { accessible, complete, drawn, fits, press } from "./playground.mjs";

/** Half, small, low, usual and large windows, and phones held both ways. */
const WINDOWS = [
  [640, 360], [800, 600], [960, 540], [1024, 600], [1280, 600], [1280, 720], [1366, 768], [1920, 1080],
  [2560, 1440], [390, 844], [360, 640], [844, 390],
];

/** How high the smallest type of the picture is on the screen, px, and what is written in it. */
const smallest = (page) => page.evaluate(() => {
  const all = [...document.querySelectorAll("main :is(.picture, .card) svg.stage-svg text")].filter((text) => text.textContent.trim());
  const sizes = all.map((text) => [parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().d, text.textContent]);
  return sizes.sort(([a], [b]) => a - b)[0];
});

/** How much of the window the picture's place takes, in hundredths. */
const share = (page) => page.evaluate(() => {
  const { width, height } = document.querySelector("main").getBoundingClientRect();
  return Math.round((width * height) / (innerWidth * innerHeight) * 100);
});

const resized = async (page, [width, height]) => {
  await page.setViewportSize({ width, height });
  await drawn(page);
  await drawn(page);
};

for (const [theme, presses, least] of [["light", 0, 14], ["projector", 2, 18]]) {
  test(`type on the stage can be read in every window: ${theme}`, async (t) => {
    const { page, shot } = await open(t, { hash: "#/p/poison-message?t=20.350" });
    await complete(page);
    await press(page, "t", presses);
    for (const size of WINDOWS) {
      for (const tab of ["1", "2"]) {
        await resized(page, size);
        await press(page, tab);
        await press(page, "Escape");
        const [px, words] = await smallest(page);
        assert.ok(px > least - 0.05, `${size.join("x")}, tab ${tab}: “${words}” is ${px.toFixed(1)} px high`);
      }
      await press(page, "1");
      await press(page, "Escape");
      assert.ok(await share(page) >= 30, `${size.join("x")}: the stage has ${await share(page)} % of the window`);
      await shot(`room-${theme}-${size.join("x")}`);
    }
  });
}

/** Whether anything of the document, or of the page in it, was scrolled. */
const scrolled = (page) => page.evaluate(() => ({
  document: [document.scrollingElement.scrollTop, document.scrollingElement.scrollLeft],
  page: [...document.querySelectorAll("body, .app, .phone, .app > .dock, .app > .trans")].map((it) => it.scrollTop).filter(Boolean),
  tooHigh: document.scrollingElement.scrollHeight - innerHeight,
}));

const STILL = { document: [0, 0], page: [], tooHigh: 0 };

for (const size of ["projector", "desktop", { width: 640, height: 360 }]) {
  test(`neither the wheel nor the keyboard scrolls the page away: ${JSON.stringify(size)}`, async (t) => {
    const { page } = await open(t, { hash: "#/p/poison-message?t=20.350", size });
    await complete(page);
    for (const place of [".stage", ".rail", ".trans", ".dock", ".one-bar"]) {
      const box = await page.locator(place).first().boundingBox().catch(() => null);
      if (!box || await page.locator(place).count() === 0) continue;
      await page.mouse.move(box.x + box.width / 2, box.y + Math.min(box.height / 2, 200));
      await page.mouse.wheel(0, 900);
      await drawn(page);
      assert.deepEqual(await scrolled(page), STILL, `the wheel over ${place}`);
    }
    // Every shift is noted as it happens, one that is taken back, too.
    await page.evaluate(() => {
      window.shifts = [];
      const isFixed = (box) => box === document || box.matches?.("html, body, .app, .phone, .app > .dock, .app > .trans");
      addEventListener("scroll", ({ target }) => {
        const box = target === document ? document.scrollingElement : target;
        if (isFixed(target) && (box.scrollTop || box.scrollLeft)) window.shifts.push(box.className || box.nodeName);
      }, true);
    });
    for (let n = 1; n <= 60; n += 1) await page.keyboard.press("Tab");
    await drawn(page);
    assert.deepEqual(await page.evaluate(() => window.shifts), [], "Tab shifts the page");
    assert.deepEqual(await scrolled(page), STILL, "after Tab");
  });
}

test("at 600 px of height the log gives way, and comes when it is asked for", async (t) => {
  const { page, shot } = await open(t, { hash: "#/p/poison-message?t=20.350", size: { width: 1280, height: 600 } });
  await complete(page);
  assert.equal(await page.locator("table.log").count(), 0);
  await page.click("#dock-log");
  await page.waitForSelector("table.log tr.now");
  await shot("room-600-log");
  await press(page, "Escape");
  assert.equal(await page.locator("table.log").count(), 0);
  await fits(page, "600 px");
});

test("a chart has the height of a chart", async (t) => {
  const { page, shot } = await open(t, { hash: "#/p/poison-message?t=20.350" });
  await complete(page);
  await page.click("#dock-charts");
  await page.waitForSelector(".chart svg text");
  const { height } = await page.locator(".chart").boundingBox();
  assert.ok(height >= 160, `${height} px`);
  await shot("room-chart");
});

/** Whether two boxes share more than an edge. */
const overlap = (a, b) => a.x + a.width > b.x + 1 && b.x + b.width > a.x + 1 && a.y + a.height > b.y + 1 && b.y + b.height > a.y + 1;

test("a notice covers neither the stage nor the caption nor the control that caused it", async (t) => {
  const { page, shot } = await open(t, { hash: "#/p/poison-message?t=20.350" });
  await complete(page);
  await page.getByRole("button", { name: "4.9", exact: true }).click();
  await complete(page);
  const notice = await page.locator(".notice").first().boundingBox();
  for (const place of [".top", ".stage", ".walk", ".trans"]) {
    assert.ok(!overlap(notice, await page.locator(place).boundingBox()), `the notice lies over ${place}`);
  }
  await shot("room-notice");
});

test("the banner of a broken check stands at the thing and over no heading", async (t) => {
  const { page, shot } = await open(t, { hash: "#/p/minute-of-silence?t=76.000" });
  await complete(page);
  await page.waitForSelector(".picture > .break-banner");
  const banner = await page.locator(".break-banner").boundingBox();
  const headings = await page.locator(".picture text:is(.ob, .lb)").evaluateAll((all) => all.map((text) => {
    const { x, y, width, height } = text.getBoundingClientRect();
    return { x, y, width, height, words: text.textContent };
  }));
  assert.deepEqual(headings.filter((heading) => overlap(banner, heading)).map(({ words }) => words), []);
  const things = await page.locator('.stage-svg [aria-label^="Queue q1"]').evaluateAll((all) => all.map((it) => it.getBoundingClientRect().toJSON()));
  const away = ({ x, y, width, height }) => Math.hypot(
    Math.max(banner.x - x - width, x - banner.x - banner.width, 0), Math.max(banner.y - y - height, y - banner.y - banner.height, 0));
  assert.ok(things.length > 0 && Math.min(...things.map(away)) < 120, "the banner stands far from what is broken");
  await shot("room-banner");
  assert.match(await page.locator("#dock-checks").innerText(), /Checks: \d+ broken/);
});

test("a phone held sideways has the stage in the whole window, and a caption that can be put away", async (t) => {
  const { page, shot } = await open(t, { hash: "#/p/poison-message", size: { width: 844, height: 390 }, motion: false });
  await complete(page);
  assert.ok(await share(page) >= 84, `${await share(page)} %`);
  await page.locator(".one-bar .forward").click();
  await page.waitForSelector(".caption-over .caption");
  await shot("room-sideways");
  await page.locator(".caption-over .quiet").click();
  assert.equal(await page.locator(".caption-over").count(), 0);
  await accessible(page, "sideways");
  await page.locator(".one-bar .zoom").click();
  assert.equal(await share(page), 100);
  await page.locator(".unzoom").click();
});

test("what is printed is one page with the stage, the caption and the address", async (t) => {
  const { page } = await open(t, { hash: "#/p/poison-message?t=20.350" });
  await complete(page);
  const pdf = (await page.pdf()).toString("latin1");
  assert.equal((pdf.match(/\/Type\s*\/Page\b/g) ?? []).length, 1);
  await page.emulateMedia({ media: "print" });
  assert.match(await page.locator(".print-only.address").innerText(), /^http.*#\/r\/1/);
  assert.ok(await page.locator(".picture").isVisible() && await page.locator(".walk .caption").isVisible());
  assert.ok(!await page.locator(".dock").isVisible());
});

for (const [name, presses, media] of [["dark", 1, {}], ["projector", 2, {}], ["forced colours", 0, { forcedColors: "active" }]]) {
  test(`the page of a run and the start page are accessible: ${name}`, async (t) => {
    const { page, shot } = await open(t, { hash: "#/p/poison-message?t=20.350" });
    await complete(page);
    await press(page, "t", presses);
    await page.emulateMedia(media);
    await accessible(page, `run, ${name}`);
    await shot(`theme-${name.replace(" ", "-")}`);
    await page.click("#dock-checks");
    await accessible(page, `checks, ${name}`);
    await press(page, "Escape");
    await page.getByRole("button", { name: "Signs" }).click();
    await accessible(page, `legend, ${name}`);
    await page.goto((await page.evaluate(() => location.href.split("#")[0])) + "#/");
    await accessible(page, `start, ${name}`);
  });
}

test("in forced colours what is chosen is no blank block", async (t) => {
  const { page, shot } = await open(t, { hash: "#/p/poison-message?t=20.350" });
  await complete(page);
  await page.emulateMedia({ forcedColors: "active" });
  const plain = await page.evaluate(() => [...document.querySelectorAll(".seg > [aria-pressed=true], .disc.past")].map((it) => {
    const { color, backgroundColor, forcedColorAdjust } = getComputedStyle(it);
    return { text: it.textContent, color, backgroundColor, forcedColorAdjust };
  }));
  assert.ok(plain.length >= 2);
  for (const { text, color, backgroundColor, forcedColorAdjust } of plain) {
    assert.equal(forcedColorAdjust, "none", text);
    assert.notEqual(color, backgroundColor, text);
  }
  await shot("forced-colours");
});
