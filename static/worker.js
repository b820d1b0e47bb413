// Keeps the page for times without a network, in this folder and nowhere else. What a version consists of stands in
// its index.html, whose files have names made of their contents; the version's name is made of that text.
//
//   playground<folder>              which version is used, which one waits
//   playground<folder> <version>    the files of one version
//
// A page is answered from the version in use, so that its files fit together. A newer one is fetched beside it and
// waits: until somebody asks for it, or the page is opened while no other window shows it.

const folder = new URL(".", self.location).href;
const PREFIX = `playground${new URL(folder).pathname}`;
const nameOf = (version) => `${PREFIX} ${version}`;

/** `used` and `waits`: versions, or undefined. */
async function pointers() {
  const kept = await (await caches.open(PREFIX)).match(folder);
  return kept ? kept.json() : {};
}

async function point(to) {
  await (await caches.open(PREFIX)).put(folder, new Response(JSON.stringify(to)));
  for (const name of await caches.keys()) {
    const isOld = name.startsWith(`${PREFIX} `) && name !== nameOf(to.used) && name !== nameOf(to.waits);
    if (isOld) await caches.delete(name);
  }
}

/** Every file that an index names: all addresses in it are relative. */
const filesOf = (html) => [...new Set([...html.matchAll(/="\.\/([^"]+)"/g)].map(([, file]) => new URL(file, folder).href))];

async function versionOf(html) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(html));
  return [...new Uint8Array(digest).slice(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Fetches the version that the host has now, if it is another one; says whether one waits. */
async function look() {
  const response = await fetch(folder, { cache: "no-cache" });
  if (!response.ok) return false;
  if (/\btrunk\b/.test(response.headers.get("server-timing") ?? "")) return retire();
  const html = await response.text();
  const { used, waits } = await pointers();
  const version = await versionOf(html);
  if (version === used) {
    if (waits) await point({ used });
    return false;
  }
  if (version === waits) return true;
  const cache = await caches.open(nameOf(version));
  await cache.addAll(filesOf(html));
  // Not the response itself, which may have been redirected; that is no answer to a navigation.
  await cache.put(folder, new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } }));
  await point(used ? { used, waits: version } : { used: version });
  return Boolean(used);
}

/** Somebody develops the page at this address: what we keep would be in the way. */
async function retire() {
  for (const name of await caches.keys()) if (name === PREFIX || name.startsWith(`${PREFIX} `)) await caches.delete(name);
  await self.registration.unregister();
  return false;
}

async function take() {
  const { used, waits } = await pointers();
  await point({ used: waits ?? used });
}

async function windows() {
  const all = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  return all.filter(({ url }) => url.startsWith(folder));
}

async function lookAndTell() {
  if (await look()) for (const client of await windows()) client.postMessage("waits");
}

/** One look at a time; a host that is away is nothing to complain of. */
let looking = null;
const lookOnce = () => (looking ??= lookAndTell().catch(() => {}).finally(() => { looking = null; }));

/** The index of a version all of whose files are still there. */
async function whole(version) {
  const cache = await caches.open(nameOf(version));
  const page = await cache.match(folder);
  const html = await page?.clone().text();
  const files = await Promise.all(filesOf(html ?? "").map((file) => cache.match(file)));
  return files.every(Boolean) ? page : undefined;
}

async function answer(request) {
  let { used, waits } = await pointers();
  if (request.mode === "navigate") {
    if (waits && (await windows()).length === 0) {
      await take();
      used = waits;
    }
    return (used && (await whole(used))) ?? fetch(request);
  }
  for (const version of [used, waits].filter(Boolean)) {
    const found = await (await caches.open(nameOf(version))).match(request, { ignoreVary: true });
    if (found) return found;
  }
  return fetch(request);
}

self.addEventListener("install", (event) => {
  event.waitUntil(look().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  const isPage = request.mode === "navigate" && [folder, `${folder}index.html`].includes(address.origin + address.pathname);
  if (request.method !== "GET" || !(isPage || (request.mode !== "navigate" && request.url.startsWith(folder)))) return;
  event.respondWith(answer(request).catch(() => fetch(request)));
  if (isPage) event.waitUntil(lookOnce());
});

self.addEventListener("message", (event) => {
  if (event.data === "look") event.waitUntil(lookOnce());
  if (event.data === "take") {
    // Only who asked begins anew; other windows have all that they need and go on as they are.
    event.waitUntil(take().then(() => event.source.postMessage("taken")));
  }
});
