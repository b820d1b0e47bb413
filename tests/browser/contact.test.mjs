// The built page at the mock's moment beside the mock: one contact sheet, for eyes. What can be tested
// without eyes is that each picture shows the same facts as the mock: B at level 4 for another 23.8 s, C 16.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { launch, out, ready, serve, shot, visit } from "./harness.mjs";

const mocks = fileURLToPath(new URL("../golden/mock/", import.meta.url));
const MOMENT = "#/p/poison-message?t=20.350";

/** Size, theme, language, the mock's picture of it where there is one, and what must be read in ours. */
const PAIRS = [
  ["projector", "light", "en", "stage-1280-light-en.png", ["23.8 s", "C 16", "M 23"]],
  ["projector", "dark", "zh", "stage-1280-dark-zh.png", ["C 16", "M 23"]],
  ["desktop", "light", "en", "stage-1920-light-en.png", ["23.8 s", "C 16", "M 23"]],
  ["desktop", "dark", "zh", null, ["C 16", "M 23"]],
  ["phone", "light", "en", "phone-light-en.png", []],
  ["phone", "dark", "zh", null, []],
];

const picture = async (file) => `data:image/png;base64,${(await readFile(file)).toString("base64")}`;

test("the page at the mock's moment stands beside the mock on a contact sheet", async (t) => {
  const site = await serve();
  t.after(site.close);
  const { browser, close } = await launch();
  t.after(close);
  const rows = [];
  for (const [size, theme, language, mock, words] of PAIRS) {
    const { context, page, problems } = await visit(browser, { size, theme, language });
    await page.goto(site.url + MOMENT);
    await ready(page);
    await page.waitForTimeout(400);
    if (size !== "phone") {
      const stage = page.locator("svg.stage-svg");
      await stage.locator('[aria-label*="SCHEDULE_TOPIC_XXXX"]').first().click();
      await page.waitForTimeout(300);
      const text = await stage.evaluate((svg) => svg.textContent);
      for (const word of words) assert.ok(text.includes(word), `${size} ${theme} ${language} shows ${word}`);
    }
    const file = await shot(page, `contact-${size}-${theme}-${language}`);
    assert.deepEqual(problems, []);
    const ours = await picture(file);
    const theirs = mock ? await picture(join(mocks, mock)) : null;
    rows.push(`<h2>${size} · ${theme} · ${language}</h2><div>
      ${theirs ? `<figure><img src="${theirs}"><figcaption>mock</figcaption></figure>` : ""}
      <figure><img src="${ours}"><figcaption>page</figcaption></figure></div>`);
    await context.close();
  }
  const page = await browser.newPage({ viewport: { width: 1960, height: 1200 } });
  await page.setContent(`<style>body{font:20px sans-serif;margin:20px}div{display:flex;gap:20px}
    figure{margin:0;flex:1}img{max-width:100%;max-height:900px;border:1px solid #999}</style>${rows.join("")}`);
  await page.screenshot({ path: join(out, "contact-sheet.png"), fullPage: true });
});
