// Pictures of presets at the moment that tells most, for eyes that have not seen them before:
//
//   node tests/browser/telling.mjs --out DIR            8 presets at 3 sizes, as PRESET-SIZE.png
//     --presets suspend,slow-start    --sizes projector,desktop,phone    (all by default)
//     --theme dark   --language zh    named in the files unless they are light and en
//     --captions     with the walkthrough's bar; without it nothing says what the picture should show
//     --mark 2       another mark than the telling one
//     --url http://127.0.0.1:8080/    a page that is already served; otherwise dist/ is

import { parseArgs } from "node:util";
import { launch, out, ready, serve, shot, SIZES, visit } from "./harness.mjs";
import { drawn, press } from "./playground.mjs";
import { preset } from "./walks.mjs";

/** Which of its marks tells most, counted from 1. */
const TELLING = {
  "stop-or-kill": 4,
  "minute-of-silence": 4,
  "frozen-listener": 4,
  "suspend": 3,
  "send-back-fails": 3,
  "master-down": 6,
  "slow-start": 3,
  "same-client-id": 4,
};

/** Puts the walkthrough's bar away, or takes it out again; a phone's stays, but is not seen. */
async function withoutCaption(page, isWished) {
  await page.evaluate((wish) => {
    const button = document.querySelector(".walk-switch");
    if (button && (button.getAttribute("aria-pressed") === "true") === wish) button.click();
    const bar = document.querySelector(".phone > .walk");
    if (bar) bar.style.display = wish ? "none" : "";
  }, isWished);
  await drawn(page);
  // The log follows a moment later.
  await page.waitForTimeout(300);
}

const { values } = parseArgs({
  options: {
    out: { type: "string", default: out },
    presets: { type: "string", default: Object.keys(TELLING).join() },
    sizes: { type: "string", default: Object.keys(SIZES).join() },
    theme: { type: "string", default: "light" },
    language: { type: "string", default: "en" },
    captions: { type: "boolean", default: false },
    mark: { type: "string" },
    url: { type: "string" },
  },
});

const site = values.url ? { url: values.url, close: () => {} } : await serve();
const { browser, close } = await launch();
let troubles = 0;
for (const size of values.sizes.split(",")) {
  const { context, page, problems } = await visit(browser, { ...values, size, motion: false });
  await page.goto(site.url);
  await ready(page);
  for (const name of values.presets.split(",")) {
    await preset(page, name);
    await press(page, "PageDown", Number(values.mark ?? TELLING[name]));
    await withoutCaption(page, !values.captions);
    const mark = values.mark ? `-${values.mark}` : "";
    const person = [values.theme, values.language].filter((it) => it !== "light" && it !== "en").map((it) => `-${it}`);
    console.log(await shot(page, `${name}${mark}-${size}${person.join("")}`, values.out));
    await withoutCaption(page, false);
  }
  for (const problem of problems) console.log(`  ${problem}`);
  troubles += problems.length;
  await context.close();
}
await close();
await site.close();
process.exitCode = troubles > 0 ? 1 : 0;
