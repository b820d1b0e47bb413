// Runs a Wasm module's `main` once for each line of input, each time in a new instance, and writes: CPU time in
// ms, exit code, bytes of linear memory.
//
//   node tests/bench/rounds.mjs MODULE.wasm

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const module = await WebAssembly.compile(readFileSync(process.argv[2]));
for await (const _ of createInterface({ input: process.stdin })) {
  const { exports } = await WebAssembly.instantiate(module, {});
  const before = process.cpuUsage();
  const code = exports.main(0, 0);
  const { user, system } = process.cpuUsage(before);
  console.log(`${(user + system) / 1000} ${code} ${exports.memory.buffer.byteLength}`);
}
