// A network that doubles and reorders, asked for with the keyboard at the link itself: the form says what it
// stands for, the stage shows the second copy, and the line can be taken out.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./harness.mjs";
import { accessible, complete, drawn, fits, press } from "./playground.mjs";

const WORDS = {
  en: {
    link: "c1 ↔ broker-a",
    double: "Double requests…",
    stands: /TCP repeats nothing\. This stands for a proxy/,
    done: "deliver the next 3 requests from c1 to broker-a twice",
    told: /is doubled: a second copy arrives at/,
    copy: /second copy/,
    reorder: "Reorder requests…",
    order: /One TCP connection keeps order/,
    held: "let the next request 11 from c1 to broker-a be passed by what follows",
  },
  zh: {
    link: "c1 ↔ broker-a",
    double: "请求重复…",
    stands: /TCP 本身不会重复。这里代表中间的代理或重试层/,
    done: "让 c1 发往 broker-a 的接下来 3 个请求各到达两次",
    told: /变成两份：第二份/,
    copy: /第二份/,
    reorder: "请求乱序…",
    order: /同一条 TCP 连接不会乱序/,
    held: "让 c1 发往 broker-a 的接下来 1 个请求（请求码 11）被后一个超过",
  },
};

/** What is being done at the link, by the list of everything. */
async function verb(page, link, name) {
  await page.locator("#fault-target").selectOption({ label: link });
  await page.locator(".acts button", { hasText: name }).focus();
  await page.keyboard.press("Enter");
  await drawn(page);
}

/** The lines of what was done come to hold these words, or to lose them. */
async function deedsSay(page, words, isThere = true) {
  await page.waitForFunction(([words, isThere]) => (document.querySelector(".deeds")?.innerText ?? "").includes(words) === isThere, [words, isThere], { timeout: 30_000 });
}

for (const [language, words] of Object.entries(WORDS)) {
  test(`requests are doubled and reordered at a link, and it is said what that stands for (${language})`, async (t) => {
    const { page, shot } = await open(t, { hash: "#/p/minute-of-silence?t=20", language });
    await complete(page);
    await press(page, "d");
    await verb(page, words.link, words.double);
    const form = page.locator(".fault-form");
    assert.match(await form.innerText(), words.stands);
    await form.locator("input").nth(0).fill("3");
    await form.locator("input").nth(1).fill("400ms");
    await accessible(page, "the form of a doubling link");
    await fits(page, "the form of a doubling link");
    await shot(`network-form-${language}`);
    await page.keyboard.press("Enter");
    await deedsSay(page, words.done);

    // Step on until a copy is on the wire: the log tells of it, the stage names it.
    await page.locator(".rail [role=tabpanel]").first().focus();
    const current = page.locator(".log tr.now");
    let isTold = false;
    for (let steps = 0; steps < 200 && !isTold; steps += 1) {
      await press(page, "ArrowRight");
      isTold = words.told.test(await current.innerText());
    }
    assert.ok(isTold, "a second copy is told of");
    assert.match(await page.locator(".stage-svg").evaluate((svg) => svg.textContent), words.copy);
    await shot(`network-copy-${language}`);

    await verb(page, words.link, words.reorder);
    assert.match(await form.innerText(), words.order);
    await form.locator("select").selectOption("11 PULL_MESSAGE");
    await form.locator("button.primary").focus();
    await page.keyboard.press("Enter");
    await deedsSay(page, words.held);
    await press(page, "Control+z");
    await deedsSay(page, words.held, false);
  });
}
