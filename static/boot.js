// Starts the page: fetches the Wasm module that trunk built and shows how much of it has come; says in words what
// went wrong when that fails, and also when something breaks later; asks for the worker that keeps the page for
// times without a network. A file of its own, because the page's security policy allows no script inside the HTML.

const WORDS = {
  en: {
    loading: "Loading",
    of: (come, all) => `Loading: ${come} of ${all} MB`,
    come: (come) => `Loading: ${come} MB so far`,
    starting: "Starting…",
    lost: "The playground could not be loaded: its download broke off or failed.",
    lostHelp: "Check the connection, then try again. What has arrived is not lost.",
    unable: "This browser cannot run the playground.",
    unableHelp: "It needs WebAssembly: Chrome, Edge, Firefox or Safari of 2023 or later, and no lockdown or enhanced-security mode for this page.",
    said: "What the browser said:",
    again: "Try again",
    crashed: "The playground has made a mistake of its own and cannot go on.",
    kept: "The run is not lost: this address holds it, up to the last step that the address bar knew.",
    open: "Open the run again",
    fromStart: "Open it from its beginning",
    home: "To the start page",
    happened: "What happened:",
    tell: "If it happens again, send address and message to whoever gave you this page: together they are a complete report.",
  },
  zh: {
    loading: "正在加载",
    of: (come, all) => `正在加载：${come} / ${all} MB`,
    come: (come) => `正在加载：已收到 ${come} MB`,
    starting: "正在启动…",
    lost: "演练场加载失败：下载中断或出错。",
    lostHelp: "请检查网络，然后重试。已经下载的部分不会白费。",
    unable: "这个浏览器无法运行演练场。",
    unableHelp: "它需要 WebAssembly：请使用 2023 年或之后的 Chrome、Edge、Firefox 或 Safari，并对本页关闭锁定模式或增强安全模式。",
    said: "浏览器的提示：",
    again: "重试",
    crashed: "演练场自身出错，无法继续。",
    kept: "这次运行没有丢：下面的地址保存着它，到地址栏最后记下的那一步为止。",
    open: "重新打开这次运行",
    fromStart: "从头打开这次运行",
    home: "回到首页",
    happened: "错误信息：",
    tell: "如果再次出现，请把地址和错误信息发给提供本页的人，这就是一份完整的报告。",
  },
};

const root = document.documentElement;
const folder = new URL(".", document.baseURI).href;
const { js, wasm, bytes } = document.querySelector("meta[name=module]").dataset;
const words = () => (root.lang.startsWith("zh") ? WORDS.zh : WORDS.en);

/** Language and theme as this person chose them, else the browser's: `app::settings`, read before the module is there. */
function dress() {
  let chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem("rocketmq-playground.settings")) ?? {};
  } catch {} // blocked or unreadable: the module says so
  const spoken = navigator.languages.map((tag) => /^(zh|en)\b/i.exec(tag)?.[1].toLowerCase()).find(Boolean);
  root.lang = { En: "en", ZhCn: "zh-Hans" }[chosen.language] ?? (spoken === "zh" ? "zh-Hans" : "en");
  const theme = { Light: "light", Dark: "dark", Projector: "projector" }[chosen.theme];
  if (theme) root.dataset.theme = theme;
  root.dataset.boot = "";
}

function element(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function button(text, act) {
  const made = element("button", text, { type: "button" });
  made.addEventListener("click", act);
  return made;
}

// ---------- the download ----------

/**
 * The response with its bytes counted on the way. How many there will be is known from the build, or where the
 * length is that of the bytes themselves; a length with compression is that of something else, so none is shown.
 */
function counted(response) {
  const encoding = response.headers.get("content-encoding");
  const length = encoding && encoding !== "identity" ? 0 : Number(response.headers.get("content-length"));
  const all = Number(bytes) || length;
  const bar = document.getElementById("boot-progress");
  const fill = document.getElementById("boot-fill");
  const text = document.getElementById("boot-words");
  const mega = (count) => (count / 1e6).toFixed(1);
  let come = 0;
  const show = () => {
    const isKnown = all > 0 && come <= all;
    text.textContent = come === all ? words().starting : isKnown ? words().of(mega(come), mega(all)) : words().come(mega(come));
    fill.style.transform = `scaleX(${isKnown ? come / all : 0})`;
    bar.setAttribute("aria-label", words().loading);
    bar.setAttribute("aria-valuetext", text.textContent);
    if (isKnown) bar.setAttribute("aria-valuenow", Math.floor((100 * come) / all));
    else bar.removeAttribute("aria-valuenow");
  };
  show();
  const reader = response.body.getReader();
  const body = new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) {
        controller.close();
        text.textContent = words().starting;
        return;
      }
      come += value.length;
      show();
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, { headers: { "content-type": "application/wasm" } });
}

/** What was asked for did not come, as against: it came and cannot run. */
class Lost extends Error {}

async function start() {
  if (typeof WebAssembly !== "object") throw new Error("WebAssembly is missing");
  const lost = (problem) => { throw new Lost(problem.message ?? problem); };
  const [glue, response] = await Promise.all([
    import(new URL(js, folder).href).catch(lost),
    fetch(new URL(wasm, folder), { credentials: "same-origin" }).catch(lost),
  ]);
  if (!response.ok) lost(`HTTP ${response.status}: ${wasm}`);
  try {
    await glue.default({ module_or_path: counted(response) });
  } catch (problem) {
    // A stream that breaks off rejects with the network's TypeError; what does not compile has an error of its own.
    if (problem instanceof TypeError && !(problem instanceof WebAssembly.LinkError)) lost(problem);
    throw problem;
  }
}

/** What the worker keeps may be what does not start. */
async function againFromTheNetwork() {
  const kept = (await navigator.serviceWorker?.getRegistrations().catch(() => [])) ?? [];
  for (const worker of kept) if (worker.scope === folder && navigator.onLine) await worker.unregister();
  location.reload();
}

function showFailure(problem) {
  console.error(problem);
  const [what, help] = problem instanceof Lost ? [words().lost, words().lostHelp] : [words().unable, words().unableHelp];
  const box = element("div", "", { id: "boot-failure", role: "alert" });
  box.append(element("b", what), element("p", help), button(words().again, againFromTheNetwork));
  box.append(element("span", words().said), element("pre", problem.message));
  const bar = document.getElementById("boot-progress");
  if (bar) bar.replaceWith(box);
  else document.body.append(box);
}

// ---------- what breaks later ----------

let hasStarted = false;
let hasCrashed = false;

/** In place of everything: what happened, the address of the run, and how to go on. */
function crash(message) {
  if (hasCrashed) return;
  hasCrashed = true;
  const address = location.href;
  const page = element("main", "", { class: "crash", id: "main", role: "alert" });
  const say = words();
  // The module is dead: a changed address is read by loading the page again.
  const go = (hash) => { location.hash = hash; location.reload(); };
  page.append(element("h1", say.crashed));
  const deeds = element("div", "", { class: "deeds-of-crash" });
  if (/^#\/[rp]\//.test(location.hash)) {
    page.append(element("p", say.kept), element("a", address, { class: "address", href: address }));
    deeds.append(button(say.open, () => location.reload()), button(say.fromStart, () => go(location.hash.split("?")[0])));
  }
  deeds.append(button(say.home, () => go("#/")));
  page.append(deeds, element("p", say.happened), element("pre", message), element("p", say.tell));
  page.querySelector("a.address")?.addEventListener("click", (event) => { event.preventDefault(); location.reload(); });
  // With its host the page that is broken goes too; the style sheets behind it stay.
  document.getElementById("page").replaceWith(page);
  deeds.firstElementChild.focus();
}

// The module's panic hook says what it is about; the trap that follows would say less.
addEventListener("playground-crash", ({ detail }) => crash(String(detail)));
/** A browser's extension may break as it likes; ours is what comes from our folder, or from the module. */
const isOurs = (error, file = "") =>
  error instanceof WebAssembly.RuntimeError || (error instanceof Error && `${file}\n${error.stack}`.includes(folder));
addEventListener("error", ({ error, filename }) => hasStarted && isOurs(error, filename) && crash(`${error}`));
addEventListener("unhandledrejection", ({ reason }) => hasStarted && isOurs(reason) && crash(`${reason}`));

// ---------- without a network ----------

/** A page that `trunk serve` made, which marks its answers with a header (Trunk.toml), is never kept. */
const isInTheMaking = performance.getEntriesByType("navigation")[0]?.serverTiming?.some(({ name }) => name === "trunk");

/** The module asks for the new version by an event, and learns of it by another; `data-waits` is for one that starts later. */
async function keepForLater() {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  if (isInTheMaking) {
    for (const old of await workers.getRegistrations()) if (old.scope === folder) await old.unregister();
    return;
  }
  workers.addEventListener("message", ({ data }) => {
    if (data === "waits") {
      root.dataset.waits = "";
      dispatchEvent(new Event("playground-waits"));
    }
    if (data === "taken") location.reload();
  });
  addEventListener("playground-take", () => workers.controller?.postMessage("take"));
  workers.startMessages();
  await workers.register(new URL("worker.js", folder), { updateViaCache: "none" });
  const { active } = await workers.ready;
  const look = () => document.visibilityState === "visible" && navigator.onLine && active.postMessage("look");
  look();
  document.addEventListener("visibilitychange", look);
}

dress();
document.getElementById("boot-late")?.remove();
try {
  await start();
  hasStarted = true;
} catch (problem) {
  if (!hasCrashed) showFailure(problem);
}
// Refused, or blocked with the storage: then the page needs its network, and nothing else changes.
keepForLater().catch((problem) => console.info("Not kept for times without a network:", problem));
if (isInTheMaking) import(new URL("reload.js", folder).href);
