// Does one of a Wasm module's runs for each line of input, which is its number, each time in a new instance, and
// writes: CPU time in ms, exit code, bytes of linear memory that the run took.
//
//   node tests/bench/rounds.mjs MODULE.wasm

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const PAGE = 65536;

const module = await WebAssembly.compile(readFileSync(process.argv[2]));
for await (const number of createInterface({ input: process.stdin })) {
  const { main, memory } = (await WebAssembly.instantiate(module, {})).exports;
  // `main` has no arguments: under_node.rs reads the number off the size of the memory.
  const own = memory.buffer.byteLength;
  const grown = 64 * (Number(number) + 1) * PAGE - own;
  memory.grow(grown / PAGE);
  const before = process.cpuUsage();
  const code = main(0, 0);
  const { user, system } = process.cpuUsage(before);
  console.log(`${(user + system) / 1000} ${code} ${memory.buffer.byteLength - grown}`);
}
