// If this fails, a visitor sees an empty page.

import assert from "node:assert/strict";
import test from "node:test";
import { open } from "./harness.mjs";

test("the page loads without a console error", async (t) => {
  const { page, shot } = await open(t);
  assert.equal(await page.title(), "RocketMQ Playground");
  assert.ok((await page.locator("body").innerText()).trim().length > 0);
  await shot("loads");
});

test("the page also loads in a folder of a static host", async (t) => {
  const { page } = await open(t, { under: "/some/folder/" });
  assert.ok((await page.locator("body").innerText()).trim().length > 0);
});

test("the security policy stands and is not in the way", async (t) => {
  const { page } = await open(t, { allow: [/Content Security Policy|inline/i] });
  const ran = await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.inlineRan = true";
    document.body.append(script);
    return window.inlineRan === true;
  });
  assert.equal(ran, false, "an inline script ran");
});
