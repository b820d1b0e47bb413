// Pictures of one place in the page, for whoever draws it:
//
//   node tests/browser/shots.mjs --hash '#/r/…' --out DIR
//     --sizes projector,desktop,phone   --themes light,dark   --languages en,zh   (all by default)
//     --query '?lang={language}&theme={theme}'   added to the address, with these two replaced
//     --url http://127.0.0.1:8080/   a page that is already served; otherwise dist/ is
//     --click 'text=Start'   clicked once the page is ready; may be repeated
//     --wait 500   milliseconds before each picture    --full   the whole page, not what fits
//     --name stage   first part of each file's name

import { parseArgs } from "node:util";
import { launch, out, ready, serve, shot, SIZES, visit } from "./harness.mjs";

const { values } = parseArgs({
  options: {
    hash: { type: "string", default: "" },
    query: { type: "string", default: "" },
    out: { type: "string", default: out },
    name: { type: "string", default: "page" },
    url: { type: "string" },
    sizes: { type: "string", default: Object.keys(SIZES).join() },
    themes: { type: "string", default: "light,dark" },
    languages: { type: "string", default: "en,zh" },
    click: { type: "string", multiple: true, default: [] },
    wait: { type: "string", default: "300" },
    full: { type: "boolean", default: false },
  },
});

const site = values.url ? { url: values.url, close: () => {} } : await serve();
const { browser, close } = await launch();
let troubles = 0;
for (const size of values.sizes.split(",")) {
  if (!SIZES[size]) throw new Error(`--sizes knows ${Object.keys(SIZES).join(", ")}, not ${size}`);
  for (const theme of values.themes.split(",")) {
    for (const language of values.languages.split(",")) {
      const { context, page, problems } = await visit(browser, { size, theme, language });
      const query = values.query.replaceAll("{language}", language).replaceAll("{theme}", theme);
      await page.goto(site.url + query + values.hash);
      await ready(page);
      for (const target of values.click) await page.click(target, { timeout: 5_000 });
      await page.waitForTimeout(Number(values.wait));
      const { width } = SIZES[size];
      console.log(await shot(page, `${values.name}-${width}-${theme}-${language}`, values.out, { fullPage: values.full }));
      for (const problem of problems) console.log(`  ${problem}`);
      troubles += problems.length;
      await context.close();
    }
  }
}
await close();
await site.close();
process.exitCode = troubles > 0 ? 1 : 0;
