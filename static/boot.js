// Starts the page: loads the Wasm module that trunk built and says so in words when that fails.
// A file of its own, because the page's security policy allows no script inside the HTML.
// Trunk.toml writes the script element that names the two built files.

const { js, wasm } = document.querySelector("script[data-wasm]").dataset;

try {
  const { default: init } = await import(new URL(js, document.baseURI).href);
  await init({ module_or_path: new URL(wasm, document.baseURI) });
} catch (problem) {
  console.error(problem);
  for (const [lang, text] of [
    ["en", "The playground could not start. It needs a browser of 2023 or later with WebAssembly. What the browser said: "],
    ["zh-Hans", "演练场无法启动。它需要 2023 年或之后的、支持 WebAssembly 的浏览器。浏览器的提示:"],
  ]) {
    const line = document.createElement("p");
    line.lang = lang;
    line.textContent = text + problem;
    document.body.append(line);
  }
}

// `trunk serve` marks its answers with a header that a page can read (Trunk.toml); then follow its builds.
if (performance.getEntriesByType("navigation")[0]?.serverTiming?.some(({ name }) => name === "trunk")) {
  import("./reload.js");
}
