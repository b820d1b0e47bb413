// What every browser test needs: dist/ served on a free port, a Chromium with an empty profile, a page that
// remembers what went wrong on it, and pictures in tests/browser/out/.
//
//   const { page, problems, shot } = await open(t, { hash: "#/r/…", language: "zh", theme: "dark" });
//
// `open` closes everything again when the test `t` ends, and fails it when the console showed an error.

import assert from "node:assert/strict";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { findChromium } from "./chromium.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));

/** The folder with the built page. */
export const dist = process.env.PLAYGROUND_DIST ?? join(here, "..", "..", "dist");

/** Where pictures go; git ignores it. */
export const out = join(here, "out");

/** The three sizes at which the page must be right. */
export const SIZES = {
  projector: { width: 1280, height: 720 },
  desktop: { width: 1920, height: 1080 },
  phone: { width: 390, height: 844 },
};

/** Language as in the page's own settings → what a browser of such a person says. */
const LOCALES = { en: "en-US", zh: "zh-CN" };

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".wasm": "application/wasm",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".txt": "text/plain; charset=utf-8",
};

/**
 * Serves a folder on a free port of this machine, under `/` or under a folder as static hosts do. `packs`: with
 * gzip, as most hosts do. `headers` are added to each answer. `asked` counts the requests; `root` may be changed.
 */
export async function serve(root = dist, under = "/", { packs = false, headers = {} } = {}) {
  const packed = new Map();
  const site = { root, asked: 0, headers };
  if (!existsSync(join(root, "index.html"))) {
    throw new Error(`There is no built page in ${root}. Build it first: cargo verify --only page`);
  }
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    const { root } = site;
    site.asked += 1;
    const inside = path.startsWith(under) ? path.slice(under.length) : null;
    const file = inside === null ? null : normalize(join(root, inside === "" ? "index.html" : inside));
    const found = file?.startsWith(normalize(root) + sep) && (await stat(file).catch(() => null))?.isFile();
    if (!found) {
      response.writeHead(404, { "content-type": "text/plain" }).end(`${path} is not here`);
      return;
    }
    const head = {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "cache-control": "no-store",
      ...site.headers,
    };
    if (packs) {
      if (!packed.has(file)) packed.set(file, gzipSync(await readFile(file)));
      response.writeHead(200, { ...head, "content-encoding": "gzip", "content-length": packed.get(file).length });
      response.end(packed.get(file));
      return;
    }
    response.writeHead(200, { ...head, "content-length": (await stat(file)).size });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(site, {
    url: `http://127.0.0.1:${server.address().port}${under}`,
    close: () => new Promise((resolve) => {
      server.closeAllConnections();
      server.close(resolve);
    }),
  });
}

/** Starts Chromium with an empty profile, without the connections it would make on its own account. */
export async function launch() {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("There is no Chromium, Chrome or Edge; cargo verify says what to install.");
  const profile = await mkdtemp(join(tmpdir(), "playground-chromium-"));
  const browser = await chromium.launch({
    executablePath,
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--disk-cache-dir=${profile}`,
    ],
  });
  return {
    browser,
    close: async () => {
      await browser.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
    },
  };
}

/**
 * A fresh visitor: own storage, given size, language, theme and taste for motion. `workers`: the browser lets the
 * page be kept for times without a network; else it refuses, and the page is fetched but once.
 */
export async function visit(browser, { size = "projector", language = "en", theme = "light", motion = true, workers = false } = {}) {
  const context = await browser.newContext({
    viewport: typeof size === "string" ? SIZES[size] : size,
    locale: LOCALES[language] ?? language,
    colorScheme: theme,
    reducedMotion: motion ? "no-preference" : "reduce",
    hasTouch: size === "phone",
    serviceWorkers: workers ? "allow" : "block",
  });
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => message.type() === "error" && problems.push(`console: ${message.text()} (${message.location().url})`));
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`));
  // A reload cuts off what the browser is still fetching for the page that it leaves; nobody misses that.
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText;
    if (reason !== "net::ERR_ABORTED") problems.push(`failed: ${request.url()} ${reason}`);
  });
  page.on("response", (response) => response.status() >= 400 && problems.push(`${response.status()}: ${response.url()}`));
  return { context, page, problems };
}

/** The page has started when its first component stands in the body. */
export async function ready(page) {
  await page.waitForSelector("main", { timeout: 60_000 });
  await page.evaluate(() => document.fonts.ready);
}

/** Saves what is on the page now as out/NAME.png and tells where. */
export async function shot(page, name, folder = out, options = {}) {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, ...options });
  return path;
}

/**
 * Server, browser and page for one test; `t` is node:test's context. `allow` lists patterns of problems that
 * the test provokes on purpose.
 */
export async function open(t, { hash = "", query = "", under = "/", allow = [], ...person } = {}) {
  const site = await serve(dist, under);
  const { browser, close } = await launch();
  const { context, page, problems } = await visit(browser, person);
  t.after(async () => {
    await close();
    await site.close();
    const unexpected = problems.filter((problem) => !allow.some((pattern) => pattern.test(problem)));
    assert.deepEqual(unexpected, [], "The page reported problems");
  });
  const url = site.url + query + hash;
  await page.goto(url);
  await ready(page);
  return { page, context, browser, problems, url, site, shot: (name, options) => shot(page, name, out, options) };
}
