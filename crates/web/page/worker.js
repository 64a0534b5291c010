'use strict';
// Runs an engine in a worker: a search in slices, so that messages get through between them.

/** An instance of the program. Each run has its own, so that its memory is freed as a whole. */
class Engine {
  constructor(module) { this.exports = new WebAssembly.Instance(module, {}).exports; }

  /** Executes a command with settings, and returns its output. */
  bytes(command, settings = '') {
    const { exports } = this, input = new TextEncoder().encode(`${command}\n${settings}`), buffer = exports.input(input.length);
    // A call may grow the memory, which detaches its buffer.
    new Uint8Array(exports.memory.buffer, buffer, input.length).set(input);
    const output = exports.call();
    return new Uint8Array(exports.memory.buffer, output, exports.output_length());
  }

  /** Executes a command, and returns its answer. Errors are thrown. */
  call(command, settings) {
    const answer = JSON.parse(new TextDecoder().decode(this.bytes(command, settings)));
    if (answer?.message) throw new Error(answer.message);
    return answer;
  }
}

let ready, module, engine, run, id, ticket = 0, slice = 500, milliseconds = 0, labels = 0, rate = Infinity, shown = 0;
// Messages to itself: a timer would wait for 4 ms between two slices.
const { port1: inbox, port2: outbox } = new MessageChannel();
inbox.onmessage = ({ data }) => { if (data === ticket) step(); };

/** Continues the run for so many nodes. */
function advance(nodes) {
  const start = performance.now();
  run = engine.call(`advance ${Math.min(nodes, limit - (run?.nodes ?? 0))}`);
  const taken = performance.now() - start;
  milliseconds += taken;
  if (!run.stop && run.nodes >= limit) run.stop = 'node limit';
  if (rate === Infinity && taken < 4) slice *= taken < 1 ? 4 : 2;
  if (taken > 10) slice = Math.max(1, slice >> 1);
}

/** Sends the progress with the tree. */
function report() {
  const [added, hooks] = engine.call(`labels ${labels}`), tree = new Uint32Array(engine.bytes(`tree ${run.stop ? 1 : 0}`).slice().buffer);
  labels += added.length;
  shown = performance.now();
  postMessage({ id, progress: run, milliseconds, labels: added, hooks, tree }, [tree.buffer]);
}

function step() {
  const isSlow = rate !== Infinity;
  advance(isSlow ? Math.max(1, Math.round(rate / 60)) : slice);
  if (run.stop) ticket += 1;
  const now = performance.now();
  // The first trees come quickly, to be seen growing.
  if (run.stop || isSlow || now - shown > Math.min(200, 30 + milliseconds / 4)) report();
  if (run.stop) return;
  const mine = ticket;
  if (isSlow) setTimeout(() => { if (mine === ticket) step(); }, Math.max(1000 / rate, 16)); else outbox.postMessage(mine);
}

let limit = Infinity;
const actions = {
  /** Compiles the program. */
  program(bytes) { ready = WebAssembly.compile(bytes); },
  /** Begins a run with settings. It visits `nodes` nodes, and then goes on unless `isPaused`. */
  start({ settings, id: newId, nodes = 0, isPaused = false, speed = Infinity }) {
    ticket += 1;
    [engine, run, id, slice, milliseconds, labels, shown] = [new Engine(module), undefined, newId, 500, 0, 0, 0];
    rate = speed;
    limit = Number(/^limit=(\d+)$/m.exec(settings)?.[1] || 0) || Infinity;
    engine.call('start', settings);
    advance(nodes);
    report();
    if (!isPaused && !run.stop) step();
  },
  // After a run that failed to start, there is nothing to continue or to draw.
  run(speed) { rate = speed; ticket += 1; if (run && !run.stop) step(); },
  pause() { ticket += 1; if (run) report(); },
  step(nodes) {
    ticket += 1;
    if (!run) return;
    if (!run.stop) advance(nodes);
    report();
  },
  look(path) { if (run) postMessage({ id, path, picture: engine.call('look', `path=${path}`) }); },
  /** Estimates the size of the tree, more and more precisely. */
  estimate({ settings, key }) {
    ticket += 1;
    const mine = ticket;
    engine = new Engine(module);
    engine.call('start', settings);
    const more = (probes) => {
      if (mine !== ticket) return;
      const start = performance.now(), estimate = engine.call(`estimate ${probes} ${probes}`);
      postMessage({ estimate, key });
      if (estimate && performance.now() - start < 1000) setTimeout(more, 100, 4 * probes);
    };
    more(100);
  },
  /** Audits a pruning, instance by instance. */
  audit(settings) {
    engine = new Engine(module);
    engine.call('audit', settings);
    const more = (instances) => {
      const verdict = engine.call(`advance-audit ${instances}`);
      postMessage({ verdict });
      if (!verdict.is_done) setTimeout(more, 0, Math.min(2 * instances, 64));
    };
    more(1);
  },
  random(settings) { postMessage({ board: new Engine(module).call('random-board', settings) }); },
};

onmessage = async ({ data: [action, argument] }) => {
  try {
    if (action !== 'program') module = await ready;
    actions[action](argument);
  } catch (error) {
    ticket += 1;
    // A program that runs out of memory traps.
    const trapped = error instanceof WebAssembly.RuntimeError;
    postMessage({ error: trapped ? 'The engine has run out of memory, or has failed. Try a smaller problem.' : error.message });
  }
};
