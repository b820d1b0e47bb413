// What a first visit loads: each file of dist/ raw, with gzip and with brotli, and the sum.
//
//   node tests/browser/sizes.mjs [--ceiling-gzip BYTES]     status 1 when the sum is above the ceiling

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";

const { values } = parseArgs({ options: { "ceiling-gzip": { type: "string" } } });
const dist = process.env.PLAYGROUND_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url));
const kilo = (bytes) => `${(bytes / 1000).toFixed(1)} kB`.padStart(11);
const row = (name, { raw, gzip, brotli }) => console.log(`${name.padEnd(44)}${kilo(raw)}${kilo(gzip)}${kilo(brotli)}`);

const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== "reload.js") // only a developer's page loads that one
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  .sort()
  .map((path) => {
    const bytes = readFileSync(path);
    return {
      name: path.slice(dist.length + 1),
      raw: bytes.length,
      gzip: gzipSync(bytes, { level: 9 }).length,
      brotli: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length,
    };
  });

console.log(`${"file".padEnd(44)}${"raw".padStart(11)}${"gzip".padStart(11)}${"brotli".padStart(11)}`);
for (const file of files) row(file.name, file);
const sum = (key) => files.reduce((total, file) => total + file[key], 0);
const total = { raw: sum("raw"), gzip: sum("gzip"), brotli: sum("brotli") };
row("all", total);

const ceiling = Number(values["ceiling-gzip"] ?? Infinity);
if (total.gzip > ceiling) {
  console.error(`The page is ${kilo(total.gzip).trim()} with gzip; the ceiling is ${kilo(ceiling).trim()}.`);
  process.exitCode = 1;
}
