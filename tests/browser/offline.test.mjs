// If these fail, the page is gone without a network, or an old version of it never goes.

import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { dist, launch, ready, serve, visit } from "./harness.mjs";
import { complete } from "./playground.mjs";

async function visitor(t, site, person = {}) {
  const { browser, close } = await launch();
  const { context, page, problems } = await visit(browser, { workers: true, ...person });
  t.after(async () => {
    await close();
    await site.close().catch(() => {});
  });
  return { browser, context, page, problems };
}

/** The worker has what the page needs. */
const kept = (page) => page.waitForFunction(async () => {
  const registration = await navigator.serviceWorker.ready;
  const names = await caches.keys();
  return registration.active?.state === "activated" && navigator.serviceWorker.controller && names.length >= 2;
}, null, { timeout: 60_000 });

/** A copy of the built page, as a later version: another text in the HTML. */
async function laterVersion(t, mark) {
  const folder = await mkdtemp(join(tmpdir(), "playground-version-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await cp(dist, folder, { recursive: true });
  const file = join(folder, "index.html");
  await writeFile(file, (await readFile(file, "utf8")).replace('<html lang="en">', `<html lang="en" data-version="${mark}">`));
  return folder;
}

const versionShown = (page) => page.getAttribute("html", "data-version");

for (const under of ["/", "/some/folder/"]) {
  test(`after one visit the page opens and plays without a network: under ${under}`, async (t) => {
    const site = await serve(dist, under);
    const { page, problems } = await visitor(t, site);
    await page.goto(site.url);
    await ready(page);
    await kept(page);
    await site.close();
    await page.goto(`${site.url}#/p/poison-message?t=20.350`);
    await page.reload();
    await ready(page);
    await complete(page);
    assert.match(await page.title(), /./);
    assert.deepEqual(problems.filter((problem) => problem.startsWith("uncaught")), []);
    const other = await page.context().newPage();
    await other.goto(site.url);
    await ready(other);
    await other.click("a.go");
    await other.waitForSelector(".stage-svg");
  });
}

test("the worker minds its own folder only", async (t) => {
  const site = await serve(dist, "/some/folder/");
  const { page } = await visitor(t, site);
  await page.goto(site.url);
  await ready(page);
  await kept(page);
  const scopes = await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => new URL(scope).pathname));
  assert.deepEqual(scopes, ["/some/folder/"]);
  const names = await page.evaluate(() => caches.keys());
  assert.ok(names.every((name) => name.startsWith("playground/some/folder/")), names.join());
});

test("a new version waits, says so in words, comes when asked for, and what was old is cleared away", async (t) => {
  const site = await serve();
  const { page } = await visitor(t, site);
  await page.goto(`${site.url}#/p/happy-path`);
  await ready(page);
  await kept(page);
  const before = await page.evaluate(() => caches.keys());
  site.root = await laterVersion(t, "two");
  await page.reload();
  await ready(page);
  assert.equal(await versionShown(page), null, "the new version did not wait");
  await page.getByText("A new version of this page is ready.").waitFor();
  await page.waitForTimeout(7_000);
  assert.ok(await page.getByText("A new version of this page is ready.").isVisible(), "the notice went by itself");
  const hash = await page.evaluate(() => location.hash);
  await page.getByRole("button", { name: "Reload with the new version" }).click();
  await page.waitForSelector("html[data-version=two]");
  await ready(page);
  assert.equal((await page.evaluate(() => location.hash)).split("?")[0], hash.split("?")[0]);
  await page.waitForFunction(async (before) => (await caches.keys()).filter((name) => before.includes(name)).length === 1, before);
  const after = await page.evaluate(() => caches.keys());
  assert.equal(after.length, 2, after.join());
  await page.reload();
  await ready(page);
  assert.equal(await versionShown(page), "two");
  await site.close();
  await page.reload();
  await ready(page);
  assert.equal(await versionShown(page), "two");
});

test("who opens the page anew, with no other window of it, gets the version that waits", async (t) => {
  const site = await serve();
  const { page, context } = await visitor(t, site);
  await page.goto(site.url);
  await ready(page);
  await kept(page);
  site.root = await laterVersion(t, "three");
  await page.reload();
  await ready(page);
  await page.getByText("A new version of this page is ready.").waitFor();
  const other = await context.newPage();
  await page.close();
  await other.waitForTimeout(500);
  await other.goto(site.url);
  await ready(other);
  assert.equal(await versionShown(other), "three");
});

test("where workers are refused the page works as ever", async (t) => {
  for (const refuse of [
    () => { Object.defineProperty(Navigator.prototype, "serviceWorker", { value: undefined }); },
    () => { ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException("no", "SecurityError")); },
    () => { Object.defineProperty(Navigator.prototype, "serviceWorker", { get() { throw new DOMException("no", "SecurityError"); } }); },
  ]) {
    const site = await serve();
    const { page, problems } = await visitor(t, site);
    await page.addInitScript(refuse);
    await page.goto(site.url);
    await ready(page);
    await page.click("a.go");
    await page.waitForSelector(".stage-svg");
    assert.deepEqual(problems, []);
    assert.equal(await page.locator(".crash").count(), 0);
  }
});

test("a page under development is never kept, and what was kept at its address goes", async (t) => {
  const site = await serve();
  const { page } = await visitor(t, site);
  await page.goto(site.url);
  await ready(page);
  await kept(page);
  site.headers = { "server-timing": "trunk" };
  site.root = await laterVersion(t, "developed");
  await page.reload();
  await ready(page);
  await page.waitForFunction(async () => (await caches.keys()).length === 0, null, { timeout: 20_000 });
  await page.reload();
  await ready(page);
  assert.equal(await versionShown(page), "developed");
  assert.deepEqual(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
});
