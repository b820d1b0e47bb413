// Runs all browser tests on the built dist/: node tests/browser/run.mjs [part of a file's name …]
// Prints each test as it ends, then how many passed; status 1 when one failed.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const wanted = process.argv.slice(2);
const files = readdirSync(here)
  .filter((name) => name.endsWith(".test.mjs") && (wanted.length === 0 || wanted.some((part) => name.includes(part))))
  .sort()
  .map((name) => join(here, name));
if (files.length === 0) {
  console.error(`No test file in tests/browser matches ${wanted.join(", ") || "*.test.mjs"}.`);
  process.exit(1);
}

// Two at a time: each starts a browser of its own.
const events = run({ files, concurrency: 2, timeout: 300_000 });
let [passed, failed] = [0, 0];
const isTest = ({ details }) => details?.type !== "suite";
events.on("test:pass", (data) => isTest(data) && (passed += 1));
events.on("test:fail", (data) => isTest(data) && (failed += 1));
events.on("end", () => {
  console.log(`browser: ${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
});
events.compose(new spec()).pipe(process.stdout);
