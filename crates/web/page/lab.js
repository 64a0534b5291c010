'use strict';
// The lab: settings, the controls of a run, its tree, audits, and the runs so far.

(async () => {
  /** @type {(id: string) => any} */
  const element = (id) => document.getElementById(id);
  /** Nodes per second at each position of the slider. */
  const speeds = [1, 2, 5, 10, 30, 100, 300, 1000, 10_000, 100_000, Infinity];

  // The workers: the run, estimates of its tree, subtrees that were cut off, and audits.
  const program = element('engine') ? await inflate('engine') : new Uint8Array(await (await fetch('engine.wasm')).arrayBuffer());
  const script = URL.createObjectURL(new Blob([element('worker').textContent], { type: 'text/javascript' }));
  class Helper {
    constructor(onMessage) {
      this.onMessage = onMessage;
      /** Whether it is running a sweep or replaying nodes, and does not listen. */
      this.isBusy = false;
      this.renew();
    }
    /** Ends what the worker does, at once, and begins anew. No message of before arrives any more. */
    renew() {
      if (this.isFresh) return;
      if (this.worker) {
        this.worker.onmessage = null;
        this.worker.terminate();
      }
      this.worker = new Worker(script);
      this.worker.onmessage = ({ data }) => data.error ? warn(data.error) : this.onMessage(data);
      this.send('program', program);
      this.isFresh = true;
    }
    send(action, argument) {
      this.isFresh = false;
      this.worker.postMessage([action, argument]);
    }
  }

  /** The settings by name, of the current problem. */
  let problem, settings, on, run, past = [], selectedPath = '', isPaused = false, trail = {}, lastId = 0, sweep, revealed = 0, timer;
  /** @type {any} */
  let estimates;

  // Settings and link.

  const defaults = (page) => Object.fromEntries(page.fields.map(({ name, value }) => [name, value]));

  /**
   * Returns a value that the setting can have: the text, the nearest number, or the default.
   * @param {Field} setting
   * @param {string} text
   */
  function accepted({ value, options, least, most }, text) {
    if (options) return options.some(([known]) => known === text) ? text : value;
    const number = Math.round(Number(text.trim() || NaN));
    return Number.isNaN(number) ? value : String(Math.min(Math.max(number, least), most));
  }

  /** Takes the settings from the address of the page. */
  function follow() {
    const linked = new URLSearchParams(location.hash.slice(1));
    problem = problems.find(({ name }) => name === linked.get('problem')) ?? problems[0];
    settings = defaults(problem);
    for (const one of problem.fields) settings[one.name] = accepted(one, linked.get(one.name) ?? one.value);
    if (problem.board) {
      // Each setting is a line for the engine.
      const board = (linked.get('board') ?? '').replace(/[\r\n]/g, ''), rows = board.split('/');
      settings.board = board && rows.length <= 40 && rows.every((row) => row.length <= 40) ? board : problem.board.value;
    }
    const names = linked.has('on') ? linked.get('on').split(',') : problem.on;
    on = new Set(problem.prunings.map(({ name }) => name).filter((name) => names.includes(name)));
    selectedPath = /^\d+(\.\d+)*$/.exec(linked.get('node') ?? '')?.[0] ?? '';
    const refused = Object.keys(settings).filter((name) => linked.has(name) && linked.get(name) !== settings[name]);
    [run, past] = [undefined, []];
    drawSetup();
    restart();
    if (refused.length) warn(`The link has values that these settings cannot have, and others are used: ${refused.join(', ')}. A board has at most 40 rows and columns.`);
  }

  const allSettings = () => ({ problem: problem.name, ...settings, on: [...on].join(',') });
  const writeLink = () => history.replaceState(null, '', `#${new URLSearchParams({ ...allSettings(), ...(selectedPath && { node: selectedPath }) })}`);
  /** Returns the settings for the engine. */
  const lines = (changes = {}) => Object.entries({ ...allSettings(), ...changes }).map(([name, value]) => `${name}=${value}`).join('\n');

  function warn(text) {
    element('warning').hidden = !text;
    element('warning').textContent = text;
  }

  // The problem, its board, its prunings.

  /** Returns the index of the colour of a hook: that of its pruning. */
  const place = (hook, index) => {
    const found = problem.prunings.filter((pruning) => pruning.hook).findIndex((pruning) => pruning.hook === hook);
    return found < 0 ? index : found;
  };
  const pruningOf = (hook) => problem.prunings.find((pruning) => pruning.hook === hook);

  function drawSetup() {
    element('problems').replaceChildren(...problems.map((page) => {
      const onclick = () => { location.hash = `problem=${page.name}`; };
      return make('button', { textContent: page.title, ariaCurrent: page === problem ? 'page' : null, onclick });
    }));
    document.title = `${problem.title}: the pruning lab`;
    element('about').textContent = problem.about;
    element('fields').replaceChildren(...problem.fields.map(field));
    for (const list of ['prunings', 'wrong-prunings']) {
      const isWrong = list !== 'prunings';
      element(list).replaceChildren(...problem.prunings.filter((pruning) => !!pruning.isWrong === isWrong).map(pruningItem));
    }
    element('wrong').hidden = !problem.prunings.some(({ isWrong }) => isWrong);
    element('wrong').open = problem.prunings.some(({ name, isWrong }) => isWrong && on.has(name));
    element('prunings-name').hidden = !problem.prunings.length;
    drawBoard();
    for (const id of ['icicle', 'search-side']) element(id).hidden = !!problem.isSweep;
    for (const id of ['layers', 'sweep-side']) element(id).hidden = !problem.isSweep;
    tree = empty;
    outline.replace(tree, -1);
    icicle.replace(tree, -1);
    element('verdict').hidden = true;
  }

  function field(one) {
    const { name, label, options, least, most } = one;
    const control = options
      ? make('select', {}, ...options.map(([value, text]) => make('option', { value, textContent: text })))
      : make('input', { type: 'number', min: least, max: most });
    Object.assign(control, { value: settings[name], id: `field-${name}` });
    control.addEventListener('change', () => {
      settings[name] = accepted(one, control.value);
      control.value = settings[name];
      change();
    });
    return make('label', {}, label, control);
  }

  function pruningItem(pruning) {
    const box = make('input', { type: 'checkbox', checked: on.has(pruning.name), id: `on-${pruning.name}` });
    box.addEventListener('change', () => {
      if (box.checked) on.add(pruning.name); else on.delete(pruning.name);
      for (const other of box.checked ? pruning.not ?? [] : []) {
        on.delete(other);
        element(`on-${other}`).checked = false;
      }
      on = new Set(problem.prunings.map(({ name }) => name).filter((name) => on.has(name)));
      change();
    });
    const swatch = make('span', { className: 'swatch' });
    if (pruning.hook) paint(swatch, kinds([pruning.hook], place).at(-1)); else swatch.style.visibility = 'hidden';
    const title = make('label', {}, box, make('span', {}, swatch, pruning.title));
    const cuts = make('span', { className: 'cuts', id: `cuts-${pruning.name}` });
    const button = () => {
      const made = make('button', { type: 'button', textContent: 'Sound?', title: `Audit “${pruning.title}” on all small boards`, id: `audit-${pruning.name}`, onclick: () => audit(pruning) });
      made.setAttribute('aria-label', `Sound? ${pruning.title}`);
      return made;
    };
    return make('li', {}, title, cuts, pruning.isAudited ? button() : make('span'), make('p', { className: 'about', textContent: pruning.about }));
  }

  const rows = () => settings.board.split('/');

  function drawBoard() {
    const { board } = problem;
    element('board').hidden = !board;
    if (!board) return;
    const cells = element('cells'), columns = rows()[0].length, focused = [...cells.children].indexOf(document.activeElement);
    cells.style.gridTemplateColumns = `repeat(${columns}, minmax(0, ${Math.min(34, Math.floor(330 / columns))}px))`;
    cells.replaceChildren(...rows().flatMap((row, r) => [...row].map((symbol, c) => {
      const ariaLabel = `Row ${r + 1}, column ${c + 1}: ${board.names[board.symbols.indexOf(symbol)]}`;
      const content = problem.name === 'rocket-mania' ? fuse(symbol) : '.X#'.includes(symbol) ? '' : symbol;
      return make('button', { ariaLabel, tabIndex: r || c ? -1 : 0, onclick: () => paintCell(r, c), data: { symbol } }, content);
    })));
    cells.children[focused]?.focus();
    element('random').hidden = !board.isRandom;
    element('density').hidden = board.density === undefined;
    element('random-rows').value = rows().length;
    element('random-columns').value = columns;
    if (board.density !== undefined) element('random-density').value ||= board.density;
  }

  /** Draws a block of fuse. */
  function fuse(symbol) {
    const path = { '.': '', '-': 'M0 10H20', L: 'M10 0V10H20', T: 'M0 10H20M10 10V20', '+': 'M0 10H20M10 0V20' }[symbol];
    return make('span', { innerHTML: `<svg viewBox="0 0 20 20" stroke-width="3" aria-hidden="true"><path d="${path}"/></svg>` }).firstChild;
  }

  /** Changes a cell to a symbol, or to the next one. */
  function paintCell(r, c, symbol) {
    const { symbols } = problem.board, all = rows().map((row) => [...row]);
    const next = symbol ?? symbols[(symbols.indexOf(all[r][c]) + 1) % symbols.length];
    // A maze has one start and one goal.
    if ('SG'.includes(next)) for (const row of all) row.forEach((symbol, i) => { if (symbol === next) row[i] = '.'; });
    all[r][c] = next;
    settings.board = all.map((row) => row.join('')).join('/');
    drawBoard();
    change();
  }

  element('cells').addEventListener('keydown', (event) => {
    const all = [...element('cells').children], columns = rows()[0].length, at = all.indexOf(document.activeElement);
    if (event.key.length === 1 && problem.board.symbols.includes(event.key)) return paintCell(Math.floor(at / columns), at % columns, event.key);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + columns, ArrowUp: at - columns }[event.key];
    if (to === undefined || !all[to]) return;
    event.preventDefault();
    all[at].tabIndex = -1;
    all[to].tabIndex = 0;
    all[to].focus();
  });
  element('draw').addEventListener('click', () => {
    const text = (name) => `${name}=${element(`random-${name}`).value}`;
    auditor.send('random', [`problem=${problem.name}`, ...['rows', 'columns', 'density', 'seed'].map(text)].join('\n'));
  });

  // The run.

  /** Keeps the current run for comparison, and begins another one with the changed settings. */
  const change = () => { selectedPath = ''; restart(); };

  const nameOfRun = () => {
    const names = problem.prunings.filter(({ name }) => on.has(name)).map(({ title }) => title.split(' · ')[0]);
    const changed = problem.fields.filter(({ name, value }) => settings[name] !== value).map(({ name, options }) => options?.find(([value]) => value === settings[name])[1] ?? `${name} ${settings[name]}`);
    return [names.join(', ') || 'no pruning', ...changed].join(' · ');
  };

  /** Begins the run, after the first `nodes` nodes. */
  function restart({ nodes = 0, pause = false } = {}) {
    clearInterval(timer);
    if (run?.progress?.nodes) past.unshift(run);
    run = { id: lastId += 1, name: nameOfRun(), key: lines(), settings: { ...settings }, on: [...on], milliseconds: 0, labels: [], progress: undefined };
    past = past.filter(({ key }) => key !== run.key).slice(0, 11);
    [estimates, sweep, revealed, trail] = [undefined, undefined, 0, {}];
    isPaused = pause;
    warn('');
    writeLink();
    element('branch').hidden = true;
    if (searcher.isBusy) searcher.renew();
    searcher.isBusy = !!problem.isSweep || nodes > 0;
    predictor.renew();
    opener.renew();
    searcher.send('start', { settings: lines(), id: run.id, nodes, isPaused, speed: speeds[element('speed').value] });
    delete document.body.dataset.stop;
  }

  function onProgress(message) {
    // A message of an earlier run may be on its way.
    if (message.id !== run.id) return;
    if (message.path !== undefined) return showPicture(message);
    searcher.isBusy = false;
    Object.assign(run, { progress: message.progress, milliseconds: message.milliseconds, hooks: message.hooks });
    if (problem.isSweep) beginSweep(); else grow(message);
    const { progress } = run;
    if (!problem.isSweep && !estimates && (progress.stop || run.milliseconds > 60)) {
      estimates = { best: progress.best };
      predictor.send('estimate', { settings: lines(progress.best === null ? {} : { best: progress.best }), key: run.key });
    }
    draw();
  }

  const short = (value) => {
    if (value < 1e4) return grouped(Math.round(value));
    if (value >= 1e15) return value.toExponential(1);
    const power = Math.floor(Math.log10(value) / 3);
    return `${Number((value / 1000 ** power).toPrecision(3))}\u00a0${' kMGT'[power]}`;
  };
  const duration = (milliseconds) => milliseconds < 1000 ? `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;

  function draw() {
    const { progress, milliseconds } = run;
    if (!progress) return;
    const isOver = progress.stop && (!problem.isSweep || revealed >= progress.layers.length);
    if (isOver) document.body.dataset.stop = progress.stop;
    element('toggle').textContent = isOver ? 'Run again' : isPaused ? 'Run' : 'Pause';
    element('step').disabled = isOver;
    element('back').disabled = problem.isSweep ? revealed <= 1 : progress.nodes < 2 || settings.strategy !== 'depth' && settings.strategy !== undefined;
    const what = { exhausted: 'the tree is searched', satisfied: 'the search has ended with it' }[progress.stop] ?? (progress.stop ? `stopped: ${progress.stop}` : isPaused ? 'paused' : 'running');
    const noun = problem.noun ?? '', count = BigInt(/^\d+$/.exec(progress.answer)?.[0] ?? -1);
    const answer = count >= 0 ? `${grouped(count)} ${noun}${count === 1n ? '' : 's'}` : progress.answer === 'found' ? `A ${noun} is found` : progress.answer;
    // Screen readers do not read each intermediate answer.
    element('answer').setAttribute('aria-live', isOver || isPaused ? 'polite' : 'off');
    element('answer').textContent = problem.isSweep && !isOver ? 'Layer by layer …' : progress.stop ? answer : `${answer} so far`;
    const figures = [[problem.isSweep ? 'States' : 'Nodes', grouped(progress.nodes)], ['Time', duration(milliseconds)], ['Effect', progress.effect], ['State', problem.isSweep && progress.stop === 'exhausted' ? 'all layers are swept' : what]];
    if (estimates?.mean) {
      const { mean, interval, probes } = estimates, share = progress.stop || !interval ? '' : progress.best === null ? ` · ${Math.min(99, Math.round(100 * progress.nodes / mean))} % done` : '', known = estimates.best === null ? '' : ` once ${estimates.best} are known`;
      figures.splice(1, 0, ['Predicted', `${short(mean)}${interval ? ` (${short(interval[0])} to ${short(interval[1])})` : ', not reliable'}${known}${share}`]);
      element('figures').title = `From ${grouped(probes)} random probes${interval ? ', with a 90 % interval' : ''}`;
    }
    element('figures').replaceChildren(...figures.map(([name, value]) => make('div', {}, make('dt', { textContent: name }), make('dd', { textContent: value, id: `figure-${name.toLowerCase()}` }))));
    if (progress.conflicts.length) warn(`These prunings together prove nothing: ${progress.conflicts.join('; ')}.`);
    else if (/but \d+ fit/.test(progress.answer)) warn('An unsound pruning has lost the optimum. Ask “Sound?” beside it.');
    const cuts = new Map(progress.hooks);
    for (const pruning of problem.prunings) element(`cuts-${pruning.name}`).textContent = pruning.hook && cuts.has(pruning.hook) ? `${grouped(cuts.get(pruning.hook))} cuts` : '';
    drawRuns();
  }

  /** Draws the bars of all runs. Each bar has the length of the logarithm of its nodes, and the shares of nodes and cuts. */
  function drawRuns() {
    const all = [run, ...past].filter(({ progress }) => progress), most = Math.max(...all.map(({ progress }) => Math.log(progress.nodes + 1)), 1);
    element('runs').tBodies[0].replaceChildren(...all.map((one) => {
      const { progress } = one, bar = make('div', { className: 'bar' });
      bar.style.width = `${100 * Math.log(progress.nodes + 1) / most}%`;
      const parts = [[kindOfNodes, progress.nodes], ...kinds(progress.hooks.map(([name]) => name), place).slice(5).map((kind, i) => [kind, progress.hooks[i][1]])];
      for (const [kind, count] of parts) if (count) bar.append(part(kind, count, `flex-grow: ${count}`));
      const name = one === run ? one.name : make('button', { textContent: one.name, title: 'Take these settings again', onclick: () => take(one) });
      return make('tr', { className: one === run ? 'now' : '' }, ...[name, bar, grouped(progress.nodes), duration(one.milliseconds), `${progress.answer}${['exhausted', 'satisfied'].includes(progress.stop) ? '' : ` (${progress.stop ?? 'running'})`}`].map((content) => make('td', {}, content)));
    }));
  }
  const kindOfNodes = { name: 'node', plural: 'nodes', colour: '--faint' };

  /** Takes the settings of an earlier run again. */
  function take(one) {
    [settings, on, selectedPath] = [{ ...one.settings }, new Set(one.on), ''];
    drawSetup();
    restart();
  }

  // The tree.

  const empty = new Tree(new Int32Array(), new Uint16Array(), new Uint32Array());
  let tree = empty, labels = [], allKinds = kinds([]), kindOf = [], nodesBefore = new Uint32Array(), shownRun, shownDepth;
  const kind = (node) => kindOf[tree.outcome[node]];
  const label = (node) => tree.step[node] ? labels[tree.step[node] - 1] : 'root';
  const note = (node) => [named(tree.outcome[node], kind(node)), !tree.children[node] && tree.weight[node] > 1 ? 'its subtree is not shown' : ''].filter((part) => part).join(' · ');
  const outline = new Outline(element('tree'), empty, (node) => ({ name: label(node), kind: kind(node), note: note(node) }), select, () => {});
  const icicle = new Icicle(element('icicle'), empty, () => kindOf, (node) => outline.select(node));

  /** Decodes a tree of the engine. */
  function decode(data) {
    const [deepest, length] = data, [depths, outcomes, nodes, entered, solutions, steps] = [0, 1, 2, 3, 4, 5].map((index) => data.subarray(2 + index * length, 2 + (index + 1) * length));
    return { made: new Tree(depths.subarray(0, -1), outcomes.subarray(0, -1), steps, { nodes, solutions }), entered, deepest };
  }

  /** Shows the tree as it has grown. */
  function grow(message) {
    const { made, entered, deepest } = decode(message.tree), old = shownRun === run ? tree : undefined;
    run.labels.push(...message.labels);
    labels = run.labels;
    nodesBefore = entered;
    allKinds = kinds(run.hooks, place);
    if (problem.name === 'fire-net') Object.assign(allKinds[1], { name: 'improvement', plural: 'improvements' });
    kindOf = byCode(allKinds);
    const isLonger = old && shownDepth === deepest && old.count <= made.count && settings.strategy !== 'breadth' && settings.strategy !== 'best';
    [tree, shownRun, shownDepth] = [made, run, deepest];
    if (isLonger && old.count > 60) {
      tree.open.set(old.open);
      tree.hide({});
    } else tree.unfoldLargest(60);
    const isFollowing = isPaused && !selectedPath;
    const wanted = trail.isLast ? tree.count - 1 : find(selectedPath);
    outline.replace(tree, wanted);
    icicle.replace(tree, wanted);
    const counts = new Uint32Array(kindOf.length);
    for (const code of tree.outcome) counts[code] += 1;
    legend(element('legend'), allKinds, counts, ({ codes }) => outline.selectNext(codes));
    element('sampled-tree').textContent = deepest === 0xffffffff ? '' : `All nodes down to depth ${deepest}; deeper ones are counted.`;
    document.body.dataset.count = tree.count;
    const hasFound = message.progress.stop === 'satisfied' && !selectedPath && isSolution(tree.outcome[tree.count - 1]);
    if (trail.isLast || isFollowing || hasFound) outline.select(tree.count - 1);
    else if (wanted >= 0 && run.shownPath !== selectedPath) outline.select(wanted);
    else if (wanted >= 0 && (message.progress.stop || isPaused)) describe(wanted);
  }


  const solutions = (count) => `${grouped(count)} ${allKinds[1].name}${count === 1 ? '' : 's'}`;
  const pathOf = (node) => tree.path(node).slice(1).map((step) => tree.place[step]).join('.');
  /** Returns the node at the end of a path, or -1. */
  function find(path) {
    if (!tree.count) return -1;
    let node = 0;
    for (const place of path ? path.split('.') : []) {
      let found = -1;
      tree.each(node, (child) => { if (tree.place[child] === Number(place)) found = child; });
      if ((node = found) < 0) return -1;
    }
    return node;
  }

  /** Shows a node: its outcome with the reason, and its board. */
  function select(node) {
    if (outline.selected !== node || run.shownPath !== pathOf(node)) element('branch').hidden = true;
    selectedPath = run.shownPath = pathOf(node);
    trail.isLast = false;
    writeLink();
    describe(node);
    icicle.selected = node;
    icicle.draw();
    document.body.dataset.selected = node;
    // A child that was not admitted has no state.
    const hasState = isEntered(tree.outcome[node]);
    searcher.send('look', hasState ? selectedPath : pathOf(tree.parent[node]));
    run.caption = hasState ? '' : 'The state of the parent, where this step was not admitted.';
  }

  /** Describes a node, without its board. */
  function describe(node) {
    const code = tree.outcome[node], isCut = code >= 6, hook = isCut ? kind(node).hook : undefined;
    element('code').textContent = label(node);
    const below = tree.weight[node] - 1, path = tree.path(node).slice(1).map(label).join(' / ');
    const outcome = code === 2 && problem.name === 'fire-net' ? 'the best placement so far' : inWords(code, kind(node));
    const facts = `${outcome}. Depth ${tree.depth[node]}${below ? `, ${grouped(below)} nodes and cuts below, ${solutions(tree.solutions[node])}` : ''}.`;
    const about = hook && pruningOf(hook)?.about;
    element('reason').replaceChildren(`${facts[0].toUpperCase()}${facts.slice(1)}`, ...(about ? [make('br'), make('em', { textContent: about })] : []));
    element('reason').title = path;
    element('return').hidden = isDone(node);
    element('open').hidden = !isCut || !pruningOf(hook);
    element('open').textContent = `What would be here without “${pruningOf(hook)?.title ?? ''}”?`;
  }
  const isDone = (node) => settings.strategy !== 'depth' && settings.strategy !== undefined || !(nodesBefore[node] + 1 < run.progress?.nodes);

  function showPicture({ picture }) {
    const parts = picture ? [shown(picture)] : [];
    if (run.caption) parts.push(make('figcaption', { textContent: run.caption }));
    element('state').replaceChildren(...parts);
  }

  // A subtree that was cut off.

  let branch = empty, branchHooks = [];
  const branchIcicle = new Icicle(element('branch-icicle'), empty, () => byCode(kinds(branchHooks, place)), (node) => {
    branchIcicle.selected = node;
    branchIcicle.draw();
    const path = [];
    for (let at = node; branch.parent[at] >= 0; at = branch.parent[at]) path.unshift(branch.depth[at] <= run.opened.length ? run.opened[branch.depth[at] - 1] : branch.place[at]);
    opener.send('look', path.join('.'));
  });
  function onBranch(message) {
    if (message.path !== undefined) return element('branch-state').replaceChildren(...(message.picture ? [shown(message.picture)] : []));
    const { progress, hooks } = message, { made } = decode(message.tree), depth = run.opened.length;
    [branch, branchHooks] = [made, hooks];
    const root = depth < made.count && made.depth[depth] === depth ? depth : 0;
    branchIcicle.replace(made, root);
    branchIcicle.zoom(root);
    element('branch-facts').textContent = `${grouped(made.weight[root] ?? 0)} nodes and cuts, ${solutions(made.solutions[root] ?? 0)}${progress.stop === 'exhausted' ? '' : ` (${progress.stop ?? 'running'})`}. Click a node for its board.`;
    element('branch').dataset.stop = progress.stop ?? '';
  }
  element('open').addEventListener('click', () => {
    if (outline.selected < 0) return;
    const pruning = pruningOf(kind(outline.selected).hook), changes = { on: [...on].filter((name) => name !== pruning.name).join(','), below: selectedPath, strategy: 'depth', limit: 1_000_000, goal: 'all' };
    run.opened = selectedPath.split('.').map(Number);
    element('branch').hidden = false;
    element('branch').dataset.stop = '';
    element('branch-name').textContent = `Without “${pruning.title}”`;
    element('branch-facts').textContent = '';
    element('branch-state').replaceChildren();
    opener.renew();
    opener.send('start', { settings: lines(changes) });
  });

  // Sweeps: all layers are known at once, and are shown one after another.

  function beginSweep() {
    const { layers } = run.progress;
    sweep = new SweepView(run.hooks, kinds(run.hooks, place).slice(5), (cells) => layers[cells].labels, (cells, index) => {
      run.caption = '';
      searcher.send('look', `${cells}.${index}`);
    });
    revealed = 1;
    reveal();
    play();
  }
  function reveal() {
    if (!sweep) return;
    sweep.fill(run.progress.layers.slice(0, revealed), run.progress.layers);
    sweep.layers.select(revealed - 1);
    draw();
  }
  function play() {
    clearInterval(timer);
    if (!sweep) return;
    const isOver = () => revealed >= run.progress.layers.length;
    if (isPaused || isOver()) return;
    const speed = Math.min(speeds[element('speed').value], 30);
    timer = setInterval(() => {
      revealed += 1;
      reveal();
      if (isOver()) {
        clearInterval(timer);
        if (problem.name === 'rocket-mania') searcher.send('look', '');
      }
    }, 1000 / speed);
  }

  // Controls.

  element('toggle').addEventListener('click', () => {
    if (document.body.dataset.stop) return restart();
    isPaused = !isPaused;
    if (problem.isSweep) play(); else if (isPaused) { trail.isLast = true; searcher.send('pause'); } else searcher.send('run', speeds[element('speed').value]);
    draw();
  });
  element('step').addEventListener('click', () => {
    if (!run.progress) return;
    isPaused = true;
    if (problem.isSweep) {
      clearInterval(timer);
      revealed = Math.min(revealed + 1, run.progress.layers.length);
      return reveal();
    }
    trail.isLast = true;
    searcher.send('step', 1);
  });
  element('back').addEventListener('click', () => {
    if (!run.progress) return;
    if (problem.isSweep) {
      [isPaused, revealed] = [true, Math.max(1, revealed - 1)];
      clearInterval(timer);
      delete document.body.dataset.stop;
      return reveal();
    }
    goBack(run.progress.nodes - 1);
  });
  const goBack = (nodes) => {
    restart({ nodes, pause: true });
    trail.isLast = true;
  };
  element('return').addEventListener('click', () => {
    if (outline.selected >= 0) goBack(nodesBefore[outline.selected] + 1);
  });
  element('restart').addEventListener('click', () => restart());
  const showSpeed = () => {
    const speed = speeds[element('speed').value];
    element('speed-text').textContent = speed === Infinity ? 'as fast as it can' : `${grouped(speed)} ${problem?.isSweep ? 'layers' : 'nodes'} a second`;
    element('speed').setAttribute('aria-valuetext', element('speed-text').textContent);
  };
  element('speed').addEventListener('input', () => {
    showSpeed();
    if (problem.isSweep) play(); else if (!isPaused && !run.progress?.stop) searcher.send('run', speeds[element('speed').value]);
  });

  // Audits.

  let audited;
  function audit(pruning) {
    audited = pruning;
    auditor.renew();
    auditor.send('audit', `problem=${problem.name}\naudit=${pruning.name}`);
    element('verdict').hidden = false;
    element('verdict').className = '';
    // Screen readers read the final verdict only.
    element('verdict').setAttribute('aria-live', 'off');
    element('verdict-name').textContent = `Is “${pruning.title}” sound?`;
    element('verdict-text').textContent = 'Whatever it cuts off is searched as well …';
    element('exhibits').replaceChildren();
    element('adopt').hidden = true;
    element('verdict').scrollIntoView({ block: 'nearest' });
  }
  function onVerdict({ verdict, board }) {
    if (board !== undefined) {
      settings.board = board;
      drawBoard();
      return change();
    }
    if (!verdict) return;
    const { instances, cuts, tightenings, is_done: isDone, violation } = verdict;
    const checked = `${grouped(instances)} boards, ${grouped(cuts)} cuts and ${grouped(tightenings)} changed states`;
    if (isDone) element('verdict').setAttribute('aria-live', 'polite');
    element('verdict').className = violation ? 'unsound' : isDone ? 'sound' : '';
    element('verdict-text').textContent = violation ? `No: ${violation.loss}. This is a smallest board on which it fails.` : isDone ? `It is on all small boards: ${checked} were checked, and nothing was lost.` : `So far: ${checked} …`;
    if (!violation) return;
    const figure = (role, picture) => make('figure', {}, shown(picture), make('figcaption', { textContent: role }));
    element('exhibits').replaceChildren(...violation.exhibits.map(([role, picture]) => figure(role, picture)));
    element('adopt').hidden = false;
    element('adopt').onclick = () => {
      if (problem.board) settings.board = violation.instance.trim().split('\n').slice(1).join('/'); else settings.size = violation.instance;
      on.add(audited.name);
      drawSetup();
      change();
    };
  }

  const searcher = new Helper(onProgress);
  const predictor = new Helper(({ estimate, key }) => { if (estimate && estimates && key === run.key) { Object.assign(estimates, estimate); draw(); } });
  const opener = new Helper(onBranch);
  const auditor = new Helper(onVerdict);
  showSpeed();
  follow();
  addEventListener('hashchange', follow);
  document.body.dataset.ready = 'true';
})();
