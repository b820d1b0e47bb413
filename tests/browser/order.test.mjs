// Orderly consumption from the keyboard alone: kill the owner of a queue, follow the waits to the new owner, and
// read the why-chain of the first message that it consumes; in both languages.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./harness.mjs";
import { accessible, clock, complete, drawn, fits, milliseconds, press, twin } from "./playground.mjs";

/** Tab until what has the focus matches. */
async function tabTo(page, selector, most = 400) {
  for (let n = 0; n < most; n += 1) {
    if (await page.evaluate((selector) => document.activeElement?.matches(selector), selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`the keyboard does not reach ${selector}`);
}

/** On the stage, arrows until the mark whose name matches has the focus. */
async function walkTo(page, name) {
  await press(page, "Home");
  for (let n = 0; n < 120; n += 1) {
    const label = await page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    if (name.test(label ?? "")) return;
    await page.keyboard.press("ArrowRight");
  }
  assert.fail(`no mark on the stage is called ${name}`);
}

const WORDS = {
  en: {
    lock: /lock.*q1|q1.*lock/i,
    crashed: /crash c2/,
    silent: /q1 is silent: until 1:21\.001 its lock is held by c2, which is gone/,
    refused: /q1 is not locked for c1: c2 has the lock/g,
    handed: /is handed to worker/,
    wait: /c1 rebalances again/,
    began: "You began it.",
    root: "you: crash c2",
  },
  zh: {
    lock: /q1.*锁|锁.*q1/,
    crashed: /杀 c2 的进程/,
    silent: /q1 没有动静：它的锁到 1:21\.001 之前归 c2，它已不在/,
    refused: /q1 c1 加锁被拒：锁归 c2/g,
    handed: /交给消费线程/,
    wait: /c1 在 .* 再次重平衡/,
    began: "源头是你的操作。",
    root: "你：杀 c2 的进程",
  },
};

for (const [language, words] of Object.entries(WORDS)) {
  test(`the owner is killed, its queue is silent, and the chain leads back to you (${language})`, async (t) => {
    const { page, shot } = await open(t, { hash: "#/p/minute-of-silence?t=40.5", language });
    await complete(page);

    // The lock of q1, by Tab and arrows; its owner is killed by D and Enter.
    await tabTo(page, ".stage-svg [data-stop]");
    await walkTo(page, words.lock);
    await press(page, "Enter");
    await press(page, "d");
    assert.equal(await page.evaluate(() => document.activeElement.id), "fault-first-verb");
    await press(page, "Enter");
    await complete(page);
    assert.match(await page.locator(".deeds").first().innerText(), words.crashed);
    await accessible(page, "what can be done");
    await fits(page, "what can be done");

    // Why is q1 silent? The inspector of the queue says who has its lock, and until when.
    await press(page, "i");
    await press(page, ".");
    await press(page, "ArrowRight", 12);
    await tabTo(page, ".stage-svg [data-stop]");
    await walkTo(page, /^q1\b|队列 q1|queue q1/i);
    await press(page, "Enter");
    assert.match(await page.locator(".qa").innerText(), words.silent);
    await accessible(page, "the silent queue");
    // Off the stage, where arrows walk from mark to mark; here they are steps in time.
    await tabTo(page, ".rail [role=tabpanel]");

    // From wait to wait, until c1 has the queue and hands a message of it to a thread.
    const before = milliseconds(await clock(page));
    const current = page.locator(".log tr.now");
    const isThere = async () => {
      const text = await current.innerText();
      return words.handed.test(text) && /q1·/.test(text);
    };
    const folds = [];
    for (let waits = 0; waits < 60 && milliseconds(await clock(page)) < 100_400; waits += 1) {
      const fold = (await page.locator(".fold").first().innerText()).trim();
      // Where nothing is waited for, the story goes on by itself.
      if (fold) folds.push(fold);
      await press(page, fold ? "f" : "ArrowRight");
    }
    assert.ok(folds.some((fold) => words.wait.test(fold)), folds.join("\n"));
    for (let steps = 0; steps < 150 && !(await isThere()); steps += 1) await press(page, "ArrowRight");
    assert.ok(await isThere(), `c1 consumes q1: ${await current.innerText()}`);
    const silence = milliseconds(await clock(page)) - before;
    assert.ok(silence > 59_000 && silence < 84_000, `q1 was silent for ${silence} ms`);
    assert.match(await twin(page), /q1/);
    await shot(`order-new-owner-${language}`);

    // Its why-chain, from the row of the log.
    await tabTo(page, ".log tr.now [data-row]");
    await press(page, "ArrowRight");
    assert.ok(await page.evaluate(() => document.activeElement.matches(".log tr.now .c-why button")));
    await press(page, "Enter");
    const chain = await page.locator(".why").innerText();
    assert.ok(chain.includes(words.root), chain);
    assert.ok(chain.match(words.refused).length >= 2, chain);
    assert.equal(await page.locator(".why-end").innerText(), words.began);
    assert.ok((await page.locator(".in-words").innerText()).includes(words.root));
    // A row under the focus lights what it is about.
    await tabTo(page, ".why li .link");
    await drawn(page);
    assert.ok(await page.locator(".stage-svg .lit").count() > 0, "nothing is lit on the stage");
    await accessible(page, "the why-chain");
    await fits(page, "the why-chain");
    await shot(`order-why-${language}`);
  });
}
