// Where an installed Chromium, Chrome or Edge usually is; the environment variable CHROMIUM comes first.
// Run as a program it prints the path, or ends with status 1. Needs no package.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const LINUX = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"];
const MAC = ["Google Chrome", "Chromium", "Microsoft Edge"];
const WINDOWS = ["Google/Chrome/Application/chrome.exe", "Chromium/Application/chrome.exe", "Microsoft/Edge/Application/msedge.exe"];

/** The path of a browser, or undefined. */
export function findChromium(env = process.env) {
  if (env.CHROMIUM) return existsSync(env.CHROMIUM) ? env.CHROMIUM : undefined;
  const candidates = {
    win32: [env.PROGRAMFILES, env["PROGRAMFILES(X86)"], env.LOCALAPPDATA]
      .filter(Boolean)
      .flatMap((base) => WINDOWS.map((name) => join(base, name))),
    darwin: ["/Applications", join(env.HOME ?? "", "Applications")]
      .flatMap((base) => MAC.map((name) => join(base, `${name}.app`, "Contents", "MacOS", name))),
  }[process.platform] ?? [...(env.PATH ?? "").split(":"), "/usr/bin", "/snap/bin"]
    .flatMap((base) => LINUX.map((name) => join(base, name)));
  return candidates.find((path) => existsSync(path));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const path = findChromium();
  if (path) console.log(path);
  else process.exitCode = 1;
}
