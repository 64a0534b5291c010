// Calls the functions of lib.rs, and compares their answers with known values:
// cargo build -p secateurs-wasm-test --target wasm32-unknown-unknown &&
// node tests/wasm/run.mjs [FILE]
import { readFileSync } from "node:fs";

const file =
  process.argv[2] ?? "target/wasm32-unknown-unknown/debug/secateurs_wasm_test.wasm";
const { instance } = await WebAssembly.instantiate(readFileSync(file), {});
const expected = [
  ["queens", 8, 92n],
  ["queens", 10, 724n],
  ["tilings", 8, 12988816n],
  ["tilings", 7, 0n],
  ["tilings_with_big_integers", 8, 12988816n],
  ["permutations", 5, 120n],
  ["solutions_in_a_recording", 8, 46n],
  ["a_time_limit_stops_the_run", 0, 1n],
];
let wrong = 0;
for (const [name, argument, answer] of expected) {
  let found;
  try {
    found = BigInt.asUintN(64, instance.exports[name](argument));
  } catch (error) {
    found = error;
  }
  if (found !== answer) wrong += 1;
  console.log(`${name}(${argument}): expected ${answer}, found ${found}`);
}
console.log(`${expected.length - wrong} passed, ${wrong} failed`);
process.exit(wrong === 0 ? 0 : 1);
