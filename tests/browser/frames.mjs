// What a frame costs while a run plays: frames in a second, and main thread per frame, of one or more built pages,
// turn by turn, so that ratios can be read even on a machine that is busy.
//
//   node tests/browser/frames.mjs DIST [DIST …]   --hash '#/p/consumers-join'   --throttle 4   --rounds 3
//     --seconds 6   --width 1920 --height 1080
//
// A benchmark, not a test: nothing here can fail by being slow.

import { parseArgs } from "node:util";
import { launch, ready, serve, SIZES, visit } from "./harness.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    hash: { type: "string", default: "#/p/consumers-join" },
    throttle: { type: "string", default: "4" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "6" },
    width: { type: "string", default: "1920" },
    height: { type: "string", default: "1080" },
  },
});
SIZES.asked = { width: Number(values.width), height: Number(values.height) };
const MEASURES = ["TaskDuration", "ScriptDuration", "RecalcStyleDuration", "LayoutDuration"];

/** Plays for some seconds; ms of main thread per frame, by kind, and frames in a second. */
async function measure(browser, url) {
  const { context, page } = await visit(browser, { size: "asked" });
  await page.goto(url + values.hash);
  await ready(page);
  const cdp = await context.newCDPSession(page);
  await cdp.send("Performance.enable");
  // The bar of a walkthrough would stop at its marks.
  await page.click(".walk-switch").catch(() => {});
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: Number(values.throttle) });
  await page.click(".keys .play, .pk .play");
  await page.waitForTimeout(500);
  const read = async () => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  };
  const before = await read();
  const frames = await page.evaluate((ms) => new Promise((done) => {
    let count = 0;
    const end = performance.now() + ms;
    const next = (now) => (now < end ? (count += 1, requestAnimationFrame(next)) : done(count));
    requestAnimationFrame(next);
  }), Number(values.seconds) * 1000);
  const after = await read();
  const nodes = await page.evaluate(() => document.querySelectorAll(".stage-svg *").length);
  await context.close();
  const perFrame = MEASURES.map((name) => ((after[name] - before[name]) * 1000) / frames);
  return { rate: frames / Number(values.seconds), perFrame, nodes };
}

const { browser, close } = await launch();
const rows = new Map(positionals.map((dist) => [dist, []]));
for (let round = 0; round < Number(values.rounds); round += 1) {
  for (const dist of positionals) {
    const site = await serve(dist);
    rows.get(dist).push(await measure(browser, site.url));
    await site.close();
  }
}
await close();
const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
console.log(`${values.hash}, ${values.width}x${values.height}, throttle ${values.throttle}, median of ${values.rounds}`);
for (const [dist, runs] of rows) {
  const rate = median(runs.map((run) => run.rate)).toFixed(1);
  const parts = MEASURES.map((name, at) => `${name} ${median(runs.map((run) => run.perFrame[at])).toFixed(1)}`);
  console.log(`${dist}: ${rate} frames a second; ms a frame: ${parts.join(", ")}; ${median(runs.map((run) => run.nodes))} nodes`);
}
