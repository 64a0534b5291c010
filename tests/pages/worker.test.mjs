// The worker of the lab: its slices, by a clock that the test sets.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';

const path = fileURLToPath(new URL('../../crates/web/page/worker.js', import.meta.url));
const source = readFileSync(path, 'utf8');

/** Starts the worker with an engine whose node `n` takes `cost(n)` milliseconds. */
async function worker(cost) {
  const clock = { now: 0 }, queue = [], reports = [];
  const context = createContext({
    TextEncoder, TextDecoder, setTimeout, clock, cost,
    performance: { now: () => clock.now },
    WebAssembly: { compile: async () => ({}) },
    MessageChannel: class {
      port1 = {};
      port2 = { postMessage: (data) => queue.push(() => this.port1.onmessage({ data })) };
    },
    postMessage: (message) => reports.push(message),
  });
  runInContext(source, context);
  runInContext(`Engine = class {
    nodes = 0;
    call(command) {
      const [name, count] = command.split(' ');
      if (name !== 'advance') return [[], []];
      for (let i = 0; i < Number(count); i++) clock.now += cost(this.nodes++);
      return { nodes: this.nodes };
    }
    bytes() { return new Uint8Array(8); }
  };`, context);
  const send = (action, argument) => context.onmessage({ data: [action, argument] });
  await send('program');
  return { clock, queue, reports, send };
}

test('no slice takes over 15 ms, even where nodes become eight times as expensive', async () => {
  const costs = [.0001, .0008, .006, .0002];
  const cost = (node) => costs[Math.min(Math.floor(node / 3e5), 3)];
  const { clock, queue, reports, send } = await worker(cost);
  let longest = 0;
  const timed = async (run) => {
    const start = clock.now;
    await run();
    longest = Math.max(longest, clock.now - start);
  };
  await timed(() => send('start', { settings: '' }));
  while (!(reports.at(-1)?.progress.nodes > 1e6)) await timed(queue.shift());
  assert.ok(longest <= 15, `${longest} ms`);
  // A pause ends the run before the next slice.
  const { nodes } = reports.at(-1).progress;
  await send('run', { nodes: 0 });
  const paused = reports.at(-1).progress.nodes;
  while (queue.length) await timed(queue.shift());
  assert.equal(reports.at(-1).progress.nodes, paused);
  assert.ok(paused >= nodes);
});

test('going back runs in slices up to the node, and can be interrupted', async () => {
  const { clock, queue, reports, send } = await worker(() => .001);
  await send('start', { settings: '', nodes: 1e6 });
  assert.equal(reports.length, 0);
  assert.ok(clock.now <= 15);
  for (let i = 0; i < 3; i++) await queue.shift()();
  await send('run', { nodes: 0 });
  assert.ok(reports[0].progress.nodes < 1e5);
  await send('start', { settings: 'limit=2000000', nodes: 1e6 });
  while (queue.length) await queue.shift()();
  assert.deepEqual(reports.slice(1).map(({ progress }) => progress.nodes), [1e6]);
  await send('run', { nodes: 1 });
  assert.equal(reports.at(-1).progress.nodes, 1e6 + 1);
  await send('run', {});
  while (queue.length) await queue.shift()();
  assert.equal(reports.at(-1).progress.stop, 'node limit');
  assert.equal(reports.at(-1).progress.nodes, 2e6);
});

test('each report carries the number of the command that it answers', async () => {
  const { queue, reports, send } = await worker(() => 1);
  await send('start', { settings: '', command: 1 });
  for (let i = 0; i < 50; i++) await queue.shift()();
  const before = reports.length;
  assert.ok(before > 0 && reports.every(({ command }) => command === 1));
  await send('run', { nodes: 0, command: 2 });
  await send('run', { nodes: 1, command: 3 });
  assert.deepEqual(reports.slice(before).map(({ command }) => command), [2, 3]);
});
