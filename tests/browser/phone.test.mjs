// If these fail, somebody with a phone cannot follow a queue or act.

import assert from "node:assert/strict";
import test from "node:test";
import { open } from "./harness.mjs";
import { accessible, clock, complete, fits } from "./playground.mjs";

test("one queue can be followed from start to dead letter without sideways scrolling", async (t) => {
  const { page, shot } = await open(t, { hash: "#/p/poison-message?t=20.350", size: "phone" });
  await complete(page);
  await fits(page, "phone, queue");
  await accessible(page, "phone, queue");
  await shot("phone-queue");
  await page.getByRole("tab", { name: "Queue" }).click();
  await page.getByRole("button", { name: "r0", exact: true }).click();
  const forward = page.getByRole("button", { name: "Forward to the next key event" });
  for (let n = 0; n < 40; n += 1) {
    await forward.click();
    await fits(page, `phone, ${await clock(page)}`);
    if (/Dead letters of bill: 1 message/.test(await page.locator(".twin").textContent())) break;
  }
  assert.match(await page.locator(".twin").textContent(), /Dead letters of bill: 1 message/);
  await shot("phone-dead");
});

test("message, owners, inspector, acts, log and chart fit a phone", async (t) => {
  const { page, shot } = await open(t, { hash: "#/p/poison-message?t=20.350", size: "phone" });
  await complete(page);
  for (const name of ["Queue", "Message", "Who reads"]) {
    await page.getByRole("tab", { name }).click();
    await fits(page, name);
    await shot(`phone-${name.replace(" ", "-").toLowerCase()}`);
  }
  for (const name of ["Inspect", "Do", "Log", "Charts"]) {
    await page.getByRole("button", { name, exact: true }).click();
    await fits(page, name);
    await accessible(page, `phone, ${name}`);
    await shot(`phone-${name.toLowerCase()}`);
  }
});

test("the keys for a thumb are large, and the page plays", async (t) => {
  const { page } = await open(t, { hash: "#/p/start-up", size: "phone", language: "zh" });
  await complete(page);
  for (const box of await Promise.all((await page.locator(".pk button").all()).map((key) => key.boundingBox()))) {
    assert.ok(box.width >= 44 && box.height >= 44, JSON.stringify(box));
  }
  const before = await clock(page);
  await page.getByRole("button", { name: "播放" }).click();
  await page.waitForTimeout(1_500);
  assert.notEqual(await clock(page), before);
});
