'use strict';
// Runs an engine in a worker: a search in slices, so that messages get through between them.

/** An instance of the program. Each run has its own, so that its memory is freed as a whole. */
class Engine {
  constructor(module) { this.exports = new WebAssembly.Instance(module, {}).exports; }

  /** Executes a command with settings, and returns its output. */
  bytes(command, settings = '') {
    const { exports } = this, input = new TextEncoder().encode(`${command}\n${settings}`);
    const buffer = exports.input(input.length);
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

let ready, module, engine, run, id, command, ticket = 0;
let chunk = 500, milliseconds = 0, labels = 0, rate = Infinity, shown = 0;
/** The number of nodes at which the run ends, and that at which it pauses. */
let limit = Infinity, goal = Infinity;
// Messages to itself: a timer would wait for 4 ms between two slices.
const { port1: inbox, port2: outbox } = new MessageChannel();
inbox.onmessage = ({ data }) => { if (data === ticket) step(); };

/**
 * Continues the run for up to so many nodes, and for about 8 ms: in chunks of about 1 ms, so that
 * it soon notices that nodes take longer.
 */
function advance(nodes) {
  const start = performance.now(), end = Math.min((run?.nodes ?? 0) + nodes, limit);
  for (let now = start; ;) {
    const count = Math.min(chunk, end - (run?.nodes ?? 0));
    run = engine.call(`advance ${count}`);
    const taken = performance.now() - now;
    now += taken;
    if (count === chunk) chunk = Math.max(1, Math.round(chunk * Math.min(4, 1 / taken)));
    milliseconds += taken;
    if (!run.stop && run.nodes >= limit) run.stop = 'node limit';
    if (run.stop || run.nodes >= end || now - start > 7) return;
  }
}

/** Sends the progress with the tree. */
function report() {
  const [added, hooks] = engine.call(`labels ${labels}`);
  const bytes = engine.bytes(`tree ${run.stop === 'exhausted' ? 1 : 0}`);
  const tree = new Uint32Array(bytes.slice().buffer);
  labels += added.length;
  shown = performance.now();
  postMessage({
    id, command, progress: run, milliseconds, labels: added, hooks, tree,
  }, [tree.buffer]);
}

function step() {
  // A run up to a goal, such as a replay, is not slowed down.
  const isSlow = rate !== Infinity && goal === Infinity;
  advance(isSlow ? Math.max(1, Math.round(rate / 60)) : goal - run.nodes);
  const isOver = run.stop || run.nodes >= goal;
  // The first trees come quickly, to be seen growing.
  const isDue = () => performance.now() - shown > Math.min(200, 30 + milliseconds / 4);
  if (isOver || isSlow || goal === Infinity && isDue()) report();
  if (isOver) return;
  const mine = ticket;
  if (!isSlow) outbox.postMessage(mine);
  else setTimeout(() => { if (mine === ticket) step(); }, Math.max(1000 / rate, 16));
}

const actions = {
  /** Compiles the program. */
  program(bytes) { ready = WebAssembly.compile(bytes); },
  /** Begins a run with settings, which pauses after `nodes` nodes. */
  start({ settings, id: newId, nodes, speed, command }) {
    [engine, run, id] = [new Engine(module), undefined, newId];
    [chunk, milliseconds, labels, shown] = [500, 0, 0, 0];
    limit = Number(/^limit=(\d+)$/m.exec(settings)?.[1] || 0) || Infinity;
    engine.call('start', settings);
    advance(0);
    actions.run({ speed, nodes, command });
  },
  /**
   * Continues the run, if it has started, and pauses after `nodes` more nodes. Reports carry the
   * number of the command.
   */
  run({ speed = Infinity, nodes = Infinity, command: newCommand }) {
    ticket += 1;
    if (!run) return;
    [rate, goal, command] = [speed, run.nodes + nodes, newCommand];
    if (run.stop) report(); else step();
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
    const isTrap = error instanceof WebAssembly.RuntimeError;
    const trapped = 'The engine has run out of memory, or has failed. Try a smaller problem.';
    postMessage({ error: isTrap ? trapped : error.message });
  }
};
