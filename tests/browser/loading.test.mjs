// If these fail, a first visitor looks at a blank page, or sees it jump when the module is there.

import assert from "node:assert/strict";
import test from "node:test";
import { dist, launch, open, ready, serve, shot, SIZES, visit } from "./harness.mjs";

/** Chromium's own preset "Fast 3G": 1.44 Mbit/s down, and 562.5 ms before each answer. */
const FAST_3G = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };

/** A page that is not opened yet, and how it is told to be on a slow line. */
async function visitor(t, person = {}, site) {
  const { browser, close } = await launch();
  const { context, page, problems } = await visit(browser, person);
  t.after(async () => {
    await close();
    await site?.close();
  });
  return { browser, context, page, problems };
}

const throttle = async (page, line = FAST_3G) => {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", line);
};

const firstPaint = (page) => page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);

for (const [size, language] of [["projector", "en"], ["phone", "zh"]]) {
  test(`on fast 3G the first paint comes within a second, says what this is and how much has come: ${size}, ${language}`, async (t) => {
    const site = await serve(dist, "/", { packs: true });
    const { page: first, browser } = await visitor(t, { size, language }, site);
    // Five visitors at most, none of whom knows the page: the machine's load is not the page's, so the best counts.
    let [page, painted] = [first, Infinity];
    for (let n = 0; n < 5; n += 1) {
      if (n > 0) ({ page } = await visit(browser, { size, language }));
      await throttle(page);
      await page.goto(site.url, { waitUntil: "commit" });
      await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
      painted = Math.min(painted, await firstPaint(page));
      if (painted < 1_000) break;
    }
    await shot(page, `first-paint-${size}`);
    const words = await page.locator("#boot").innerText();
    assert.match(words, /Push is a pull that waits/);
    assert.match(words, /所谓推送/);
    if (size !== "phone") assert.ok(await page.locator("#boot-picture svg").isVisible(), "the picture is not there");
    assert.ok(painted < 1_000, `first paint after ${Math.round(painted)} ms`);
    t.diagnostic(`first contentful paint after ${Math.round(painted)} ms on fast 3G`);
    const bytes = () => page.evaluate(() => Number(/[\d.]+/.exec(document.getElementById("boot-words")?.textContent ?? "")?.[0] ?? 0));
    await page.waitForFunction(() => /\d\.\d/.test(document.getElementById("boot-words").textContent));
    const before = await bytes();
    await shot(page, `loading-${size}`);
    await page.waitForFunction((before) => Number(/[\d.]+/.exec(document.getElementById("boot-words")?.textContent ?? "99")?.[0] ?? 99) > before, before);
    assert.equal(await page.getAttribute("html", "lang"), language === "zh" ? "zh-Hans" : "en");
    const shown = await page.locator("#boot h2:visible").allInnerTexts();
    assert.equal(shown.length, 1, `two languages are left: ${shown}`);
  });
}

test("what has come is never more than all, and all is told only where it is known", async (t) => {
  for (const packs of [true, false]) {
    const site = await serve(dist, "/", { packs });
    const { page } = await visitor(t, {}, site);
    await page.addInitScript(() => {
      window.told = [];
      new MutationObserver(() => {
        const words = document.getElementById("boot-words")?.textContent;
        if (words && words !== window.told.at(-1)) window.told.push(words);
      }).observe(document, { subtree: true, childList: true, characterData: true });
    });
    await page.goto(site.url);
    await ready(page);
    await page.waitForSelector("a.go");
    const told = await page.evaluate(() => window.told);
    const figures = told.map((words) => /([\d.]+)(?: of ([\d.]+))? MB/.exec(words)).filter(Boolean);
    assert.ok(figures.length > 1, `told: ${told}`);
    let last = 0;
    for (const [, come, all] of figures) {
      assert.ok(Number(come) >= last, `${come} after ${last}`);
      if (all) assert.ok(Number(come) <= Number(all), `${come} of ${all}`);
      last = Number(come);
    }
    if (!packs) assert.ok(figures.at(-1)[2], "the length was known");
  }
});

for (const size of Object.keys(SIZES)) {
  for (const language of ["en", "zh"]) {
    test(`the start page takes the first paint's place and nothing jumps: ${size}, ${language}`, async (t) => {
      const site = await serve();
      const { page } = await visitor(t, { size, language }, site);
      // On a fast line the page may be there before anything is painted.
      await page.route("**/*.wasm", async (route) => {
        await new Promise((done) => setTimeout(done, 500));
        await route.continue();
      });
      await page.addInitScript(() => {
        window.blank = 0;
        window.places = {};
        const box = (element) => { const { x, y, width, height } = element.getBoundingClientRect(); return [x, y, width, height].map(Math.round); };
        const look = () => {
          const boot = document.querySelector("html[data-boot] #boot");
          if (boot) {
            window.places.before = [[...boot.querySelectorAll("h2")].find((h2) => h2.checkVisibility()), boot.querySelector("#boot-picture svg")].map(box);
          } else if (document.querySelector("a.go") && !window.places.after) {
            window.places.after = [document.querySelector(".hero h2"), document.querySelector(".hero .prev svg")].map(box);
          }
          if (document.body && document.getElementById("page") && !document.body.innerText.trim()) window.blank += 1;
          requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
      await page.goto(site.url);
      await page.waitForSelector("a.go");
      await page.waitForFunction(() => window.places.after);
      const { places, blank } = await page.evaluate(() => ({ places: window.places, blank: window.blank }));
      assert.equal(blank, 0, "a frame was blank");
      assert.ok(places.before, "the first paint was not seen");
      if (size === "phone") {
        assert.deepEqual(places.before[0].slice(0, 1), places.after[0].slice(0, 1));
        assert.ok(Math.abs(places.before[0][1] - places.after[0][1]) <= 8, `the headline jumps from ${places.before[0]} to ${places.after[0]}`);
      } else {
        assert.deepEqual(places.before[1], places.after[1], "the picture jumps");
        assert.ok(places.before[0].every((value, n) => n === 2 || Math.abs(value - places.after[0][n]) <= 1), `the headline jumps from ${places.before[0]} to ${places.after[0]}`);
      }
    });
  }
}

test("a download that breaks off says so, in the page's language, and can be tried again", async (t) => {
  for (const [language, words, again] of [["en", /could not be loaded/, "Try again"], ["zh", /加载失败/, "重试"]]) {
    const site = await serve();
    const { page } = await visitor(t, { language }, site);
    let isBroken = true;
    await page.route("**/*.wasm", (route) => (isBroken ? route.abort("connectionreset") : route.continue()));
    await page.goto(site.url);
    await page.waitForSelector("#boot-failure");
    assert.match(await page.locator("#boot-failure").innerText(), words);
    await shot(page, `failed-${language}`);
    isBroken = false;
    await page.getByRole("button", { name: again }).click();
    await page.waitForSelector("a.go", { timeout: 60_000 });
  }
});

test("a host that lacks the module says so", async (t) => {
  const site = await serve();
  const { page } = await visitor(t, {}, site);
  await page.route("**/*.wasm", (route) => route.fulfill({ status: 404, body: "not here" }));
  await page.goto(site.url);
  await page.waitForSelector("#boot-failure");
  assert.match(await page.locator("#boot-failure").innerText(), /could not be loaded[\s\S]*404/);
});

test("a browser without WebAssembly is told what it needs", async (t) => {
  const site = await serve();
  const { page } = await visitor(t, { language: "zh" }, site);
  await page.addInitScript(() => { delete window.WebAssembly; });
  await page.goto(site.url);
  await page.waitForSelector("#boot-failure");
  assert.match(await page.locator("#boot-failure").innerText(), /无法运行[\s\S]*WebAssembly/);
});

test("a theme that was chosen dresses the first paint too", async (t) => {
  const { page, url } = await open(t, { theme: "light" });
  await page.getByRole("button", { name: "Dark" }).click();
  await page.route("**/*.wasm", () => {}); // never answered
  await page.goto(`${url}?again`, { waitUntil: "commit" });
  await page.waitForSelector("html[data-boot]");
  assert.equal(await page.getAttribute("html", "data-theme"), "dark");
  await page.waitForFunction(() => getComputedStyle(document.getElementById("boot")).backgroundColor === "rgb(18, 22, 28)");
});
