'use strict';
// The lab: settings, the controls of a run, its tree, audits, and the runs so far.

(async () => {
  /** @type {(id: string) => any} */
  const element = (id) => document.getElementById(id);
  /** Nodes per second at each position of the slider. */
  const speeds = [1, 2, 5, 10, 30, 100, 300, 1000, 10_000, 100_000, Infinity];
  const chosenSpeed = () => speeds[element('speed').value];

  // The workers: the run, estimates of its tree, subtrees that were cut off, and audits.
  const fetched = async (address) => new Uint8Array(await (await fetch(address)).arrayBuffer());
  const program = element('engine') ? await inflate('engine') : await fetched('engine.wasm');
  const source = new Blob([element('worker').textContent], { type: 'text/javascript' });
  const script = URL.createObjectURL(source);
  class Helper {
    constructor(onMessage) {
      this.onMessage = onMessage;
      /** Whether it is running a sweep, and does not listen. */
      this.isBusy = false;
      this.renew();
    }
    /** Replaces the worker, which ends its task at once. None of its messages arrives any more. */
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
  const searcher = new Helper(onProgress), opener = new Helper(onBranch);
  const auditor = new Helper(onVerdict);
  const predictor = new Helper(({ estimate, key }) => {
    if (!estimate || !estimates || key !== run.key) return;
    Object.assign(estimates, estimate);
    draw();
  });

  /** The problem, the values of its settings by name, and the names of the prunings in use. */
  let problem, settings, on;
  /** The current run, and earlier ones, the latest first. */
  let run, past = [], lastId = 0, lastCommand = 0;
  let isPaused = false;
  /** The path to the selected node, and whether each report selects the last node. */
  let selectedPath = '', isFollowing = false;
  /** The view of a sweep, the number of layers shown, and the timer that shows another one. */
  let sweep, revealed = 0, timer;
  /** @type {any} */
  let estimates;

  // Settings and link.

  const defaults = (page) =>
    Object.fromEntries(page.fields.map(({ name, value }) => [name, value]));

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
    for (const one of problem.fields) {
      settings[one.name] = accepted(one, linked.get(one.name) ?? one.value);
    }
    if (problem.board) {
      // Each setting is a line for the engine.
      const board = (linked.get('board') ?? '').replace(/[\r\n]/g, ''), rows = board.split('/');
      const isBoard = board && rows.length <= 40 && rows.every((row) => row.length <= 40);
      settings.board = isBoard ? board : problem.board.value;
    }
    const names = linked.has('on') ? linked.get('on').split(',') : problem.on;
    on = new Set(problem.prunings.map(({ name }) => name).filter((name) => names.includes(name)));
    selectedPath = /^\d+(\.\d+)*$/.exec(linked.get('node') ?? '')?.[0] ?? '';
    const isRefused = (name) => linked.has(name) && linked.get(name) !== settings[name];
    const refused = Object.keys(settings).filter(isRefused);
    [run, past] = [undefined, []];
    drawSetup();
    restart();
    if (refused.length) {
      warn('The link has values that these settings cannot have, and others are used: '
        + `${refused.join(', ')}. A board has at most 40 rows and columns.`);
    }
  }

  const isDepthFirst = () => (settings.strategy ?? 'depth') === 'depth';
  const allSettings = () => ({ problem: problem.name, ...settings, on: [...on].join(',') });
  const writeLink = () => {
    const node = selectedPath && { node: selectedPath };
    history.replaceState(null, '', `#${new URLSearchParams({ ...allSettings(), ...node })}`);
  };
  /** Returns the settings for the engine. */
  const lines = (changes = {}) => Object.entries({ ...allSettings(), ...changes })
    .map(([name, value]) => `${name}=${value ?? ''}`).join('\n');

  function warn(text) {
    element('warning').hidden = !text;
    element('warning').textContent = text;
  }

  // The problem, its board, its prunings.

  /** Returns the index of the colour of a hook: that of its pruning. */
  const place = (hook, index) => {
    const found = problem.prunings.filter((pruning) => pruning.hook).indexOf(pruningOf(hook));
    return found < 0 ? index : found;
  };
  const pruningOf = (hook) => problem.prunings.find((pruning) => pruning.hook === hook);

  function drawSetup() {
    element('problems').replaceChildren(...problems.map((page) => {
      const onclick = () => { location.hash = `problem=${page.name}`; };
      const ariaCurrent = page === problem ? 'page' : null;
      return make('button', { textContent: page.title, ariaCurrent, onclick });
    }));
    document.title = `${problem.title}: the pruning lab`;
    element('about').textContent = problem.about;
    element('fields').replaceChildren(...problem.fields.map(field));
    const wrong = problem.prunings.filter(({ isWrong }) => isWrong);
    const right = problem.prunings.filter(({ isWrong }) => !isWrong);
    element('prunings').replaceChildren(...right.map(pruningItem));
    element('wrong-prunings').replaceChildren(...wrong.map(pruningItem));
    element('wrong').hidden = !wrong.length;
    element('wrong').open = wrong.some(({ name }) => on.has(name));
    element('prunings-name').hidden = !problem.prunings.length;
    drawBoard();
    for (const id of ['icicle', 'search-side']) element(id).hidden = !!problem.isSweep;
    for (const id of ['layers', 'sweep-side']) element(id).hidden = !problem.isSweep;
    main.clear();
    element('verdict').hidden = true;
    showSpeed();
  }

  function field(one) {
    const { name, label, options, least, most } = one;
    const option = ([value, textContent]) => make('option', { value, textContent });
    const control = options
      ? make('select', {}, ...options.map(option))
      : make('input', { type: 'number', min: least, max: most });
    Object.assign(control, { value: settings[name], id: `field-${name}` });
    control.addEventListener('change', () => {
      settings[name] = accepted(one, control.value);
      control.value = settings[name];
      change();
    });
    return make('label', {}, make('span', {}, label), control);
  }

  function pruningItem(pruning) {
    const { name, title, about } = pruning;
    const box = make('input', { type: 'checkbox', checked: on.has(name), id: `on-${name}` });
    box.addEventListener('change', () => {
      if (box.checked) on.add(name); else on.delete(name);
      for (const other of box.checked ? pruning.not ?? [] : []) {
        on.delete(other);
        element(`on-${other}`).checked = false;
      }
      on = new Set(problem.prunings.map(({ name }) => name).filter((name) => on.has(name)));
      change();
    });
    const swatch = make('span', { className: 'swatch' });
    if (pruning.hook) paint(swatch, kindsOfHooks([pruning.hook], place)[0]);
    else swatch.style.visibility = 'hidden';
    const label = make('label', {}, box, make('span', {}, swatch, title));
    const cuts = make('span', { className: 'cuts', id: `cuts-${name}` });
    const button = () => make('button', {
      textContent: 'Sound?',
      ariaLabel: `Sound? ${title}`,
      title: `Audit “${title}” on small boards`,
      id: `audit-${name}`,
      onclick: () => audit(pruning),
    });
    return make('li', {}, label, cuts, pruning.isAudited ? button() : make('span'),
      make('p', { className: 'about', textContent: about }));
  }

  const rows = () => settings.board.split('/');

  function drawBoard() {
    const { board } = problem;
    element('board').hidden = !board;
    if (!board) return;
    const cells = element('cells'), columns = rows()[0].length;
    const focused = [...cells.children].indexOf(document.activeElement);
    const width = Math.min(34, Math.floor(330 / columns));
    cells.style.gridTemplateColumns = `repeat(${columns}, minmax(0, ${width}px))`;
    cells.replaceChildren(...rows().flatMap((row, r) => [...row].map((symbol, c) => {
      const letter = '.X#'.includes(symbol) ? '' : symbol;
      return make('button', {
        ariaLabel: `Row ${r + 1}, column ${c + 1}: ${board.names[board.symbols.indexOf(symbol)]}`,
        tabIndex: r || c ? -1 : 0,
        onclick: () => paintCell(r, c),
        data: { symbol },
      }, problem.name === 'rocket-mania' ? fuse(symbol) : letter);
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
    const path = {
      '.': '', '-': 'M0 10H20', L: 'M10 0V10H20', T: 'M0 10H20M10 10V20', '+': 'M0 10H20M10 0V20',
    }[symbol];
    return make('span', {
      innerHTML: '<svg viewBox="0 0 20 20" stroke-width="3" aria-hidden="true">'
        + `<path d="${path}"/></svg>`,
    }).firstChild;
  }

  /** Changes a cell to a symbol, or to the next one. */
  function paintCell(r, c, symbol) {
    const { symbols } = problem.board, all = rows().map((row) => [...row]);
    const next = symbol ?? symbols[(symbols.indexOf(all[r][c]) + 1) % symbols.length];
    // A maze has one start and one goal.
    if ('SG'.includes(next)) {
      for (const row of all) row.forEach((symbol, i) => { if (symbol === next) row[i] = '.'; });
    }
    all[r][c] = next;
    settings.board = all.map((row) => row.join('')).join('/');
    drawBoard();
    change();
  }

  element('cells').addEventListener('keydown', (event) => {
    const all = [...element('cells').children], columns = rows()[0].length;
    const at = all.indexOf(document.activeElement);
    if (event.key.length === 1 && problem.board.symbols.includes(event.key)) {
      return paintCell(Math.floor(at / columns), at % columns, event.key);
    }
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
    const to = at + step;
    if (step === undefined || !all[to]) return;
    event.preventDefault();
    all[at].tabIndex = -1;
    all[to].tabIndex = 0;
    all[to].focus();
  });
  element('draw').addEventListener('click', () => {
    const text = (name) => `${name}=${element(`random-${name}`).value}`;
    const numbers = ['rows', 'columns', 'density', 'seed'].map(text);
    auditor.send('random', [`problem=${problem.name}`, ...numbers].join('\n'));
  });

  // The run.

  /** Keeps the current run for comparison, and begins another one with the changed settings. */
  const change = () => { selectedPath = ''; restart(); };

  const nameOfRun = () => {
    const names = problem.prunings.filter(({ name }) => on.has(name))
      .map(({ title }) => title.split(' · ')[0]);
    const valueInWords = ({ name, options }) =>
      options?.find(([value]) => value === settings[name])[1] ?? `${name} ${settings[name]}`;
    const changed = problem.fields.filter(({ name, value }) => settings[name] !== value)
      .map(valueInWords);
    return [names.join(', ') || 'no pruning', ...changed].join(' · ');
  };

  /** Begins the run, and pauses after `nodes` nodes. */
  function restart(nodes = Infinity) {
    clearTimeout(timer);
    if (run?.progress?.nodes) past.unshift(run);
    run = {
      id: lastId += 1, name: nameOfRun(), key: lines(), settings: { ...settings }, on: [...on],
      milliseconds: 0, progress: undefined,
    };
    past = past.filter(({ key }) => key !== run.key).slice(0, 11);
    [estimates, sweep, revealed] = [undefined, undefined, 0];
    isPaused = isFollowing = nodes < Infinity;
    warn('');
    writeLink();
    for (const id of ['branch', 'open', 'return']) element(id).hidden = true;
    element('toggle').textContent = isPaused ? 'Run' : 'Pause';
    element('step').disabled = false;
    if (isPaused && element('figure-state')) element('figure-state').textContent = 'going back …';
    if (searcher.isBusy) searcher.renew();
    searcher.isBusy = !!problem.isSweep;
    predictor.renew();
    opener.renew();
    const command = lastCommand += 1;
    searcher.send('start', { settings: lines(), id: run.id, nodes, speed: chosenSpeed(), command });
    delete document.body.dataset.stop;
  }

  function onProgress(message) {
    // A message of an earlier run may be on its way.
    if (message.id !== run.id) return;
    if (message.path !== undefined) return main.showPicture(message);
    searcher.isBusy = false;
    const { progress, milliseconds, hooks } = message;
    Object.assign(run, { progress, milliseconds, hooks });
    if (problem.isSweep) beginSweep(); else grow(message);
    if (!problem.isSweep && !estimates && (progress.stop || run.milliseconds > 60)) {
      const best = progress.bests.at(-1);
      estimates = { best };
      predictor.send('estimate', { settings: lines({ best }), key: run.key });
    }
    draw();
  }

  const short = (value) => {
    if (value < 1e4) return grouped(Math.round(value));
    if (value >= 1e15) return value.toExponential(1);
    const power = Math.floor(Math.log10(value) / 3);
    return `${Number((value / 1000 ** power).toPrecision(3))}\u00a0${' kMGT'[power]}`;
  };
  const duration = (milliseconds) => {
    if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(2)} s`;
    return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
  };

  function stateInWords({ stop }) {
    const exhausted = problem.isSweep ? 'all layers are swept' : 'the tree is searched';
    if (stop === 'exhausted') return exhausted;
    if (stop === 'satisfied') return 'the search has ended with it';
    if (stop) return `stopped: ${stop}`;
    return isPaused ? 'paused' : 'running';
  }
  function answerInWords({ answer }) {
    const { noun = '' } = problem;
    if (answer === 'found') return `A ${noun} is found`;
    if (!/^\d+$/.test(answer)) return answer;
    return `${grouped(BigInt(answer))} ${noun}${answer === '1' ? '' : 's'}`;
  }
  function predictionInWords({ nodes, stop, bests }) {
    const { mean, interval, best } = estimates;
    const range = interval ? ` (${interval.map(short).join(' to ')})` : ', not reliable';
    const known = best === undefined ? '' : ` once ${best} are known`;
    const percent = Math.min(99, Math.round(100 * nodes / mean));
    const share = stop || !interval || bests.length ? '' : ` · ${percent} % done`;
    return `${short(mean)}${range}${known}${share}`;
  }

  function draw() {
    const { progress, milliseconds } = run;
    if (!progress) return;
    const isOver = progress.stop && (!problem.isSweep || revealed >= progress.layers.length);
    if (isOver) document.body.dataset.stop = progress.stop;
    element('toggle').textContent = isOver ? 'Run again' : isPaused ? 'Run' : 'Pause';
    element('step').disabled = isOver;
    element('back').disabled =
      problem.isSweep ? revealed <= 1 : progress.nodes < 2 || !isDepthFirst();
    const answer = answerInWords(progress), soFar = progress.stop ? answer : `${answer} so far`;
    // Screen readers do not read each intermediate answer.
    element('answer').setAttribute('aria-live', isOver || isPaused ? 'polite' : 'off');
    element('answer').textContent = problem.isSweep && !isOver ? 'Layer by layer …' : soFar;
    const figures = [
      [problem.isSweep ? 'States' : 'Nodes', grouped(progress.nodes)],
      ['Time', duration(milliseconds)],
      ['Effect', progress.effect],
      ['State', stateInWords(progress)],
    ];
    if (estimates?.mean) {
      const accuracy = estimates.interval ? ', with a 90 % interval' : '';
      figures.splice(1, 0, ['Predicted', predictionInWords(progress)]);
      element('figures').title = `From ${grouped(estimates.probes)} random probes${accuracy}`;
    }
    element('figures').replaceChildren(...figures.map(([name, value]) => make('div', {},
      make('dt', { textContent: name }),
      make('dd', { textContent: value, id: `figure-${name.toLowerCase()}` }))));
    if (progress.conflicts.length) {
      warn(`These prunings together prove nothing: ${progress.conflicts.join('; ')}.`);
    } else if (/but \d+ fit/.test(progress.answer)) {
      warn('An unsound pruning has lost the optimum. Ask “Sound?” beside it.');
    }
    const cuts = new Map(progress.hooks);
    for (const { name, hook } of problem.prunings) {
      element(`cuts-${name}`).textContent = cuts.has(hook) ? `${grouped(cuts.get(hook))} cuts` : '';
    }
    drawRuns();
  }

  /**
   * Draws the bars of all runs. Each bar has the length of the logarithm of its nodes, and the
   * shares of nodes and cuts.
   */
  function drawRuns() {
    const all = [run, ...past].filter(({ progress }) => progress);
    const length = ({ progress }) => Math.log(progress.nodes + 1);
    const most = Math.max(...all.map(length), 1);
    element('runs').tBodies[0].replaceChildren(...all.map((one) => {
      const { progress } = one, bar = make('div', { className: 'bar' });
      bar.style.width = `${100 * length(one) / most}%`;
      const cuts = kindsOfHooks(progress.hooks.map(([name]) => name), place)
        .map((kind, i) => [kind, progress.hooks[i][1]]);
      for (const [kind, count] of [[kindOfNodes, progress.nodes], ...cuts]) {
        if (count) bar.append(part(kind, count, `flex-grow: ${count}`));
      }
      const name = one === run ? one.name : make('button', {
        textContent: one.name, title: 'Take these settings again', onclick: () => take(one),
      });
      const isComplete = ['exhausted', 'satisfied'].includes(progress.stop);
      const stop = isComplete ? '' : ` (${progress.stop ?? 'running'})`;
      const answer = `${progress.answer}${stop}`;
      const cells = [name, bar, grouped(progress.nodes), duration(one.milliseconds), answer];
      return make('tr', { className: one === run ? 'now' : '' },
        ...cells.map((content) => make('td', {}, content)));
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

  /** The tree of an engine: an outline, an icicle, and the state of the selected node. */
  class TreeView {
    kinds = kinds([]); kindOf = []; labels = []; entered = []; solved = []; caption = ''; deepest;
    /** The path to the root of the tree, if the engine searches below a node. */
    below = [];
    /**
     * @param prefix precedes the names of its elements
     * @param helper the worker of the engine
     * @param onSelect is called with the selected node
     */
    constructor(prefix, helper, onSelect) {
      this.prefix = prefix;
      this.helper = helper;
      const describe = (node) => (
        { name: this.label(node), kind: this.kind(node), note: this.note(node) });
      this.outline = new Outline(element(`${prefix}tree`), empty, describe, onSelect, () => {});
      const onClick = (node) => this.outline.select(node);
      this.icicle = new Icicle(element(`${prefix}icicle`), empty, () => this.kindOf, onClick);
      this.clear();
    }
    clear() {
      [this.tree, this.labels] = [empty, []];
      this.draw(-1);
    }
    draw(selected) {
      this.outline.replace(this.tree, selected);
      this.icicle.replace(this.tree, selected);
    }
    kind(node) { return this.kindOf[this.tree.outcome[node]]; }
    label(node) { return this.tree.step[node] ? this.labels[this.tree.step[node] - 1] : 'root'; }
    note(node) {
      const { tree } = this, isShort = !tree.children[node] && tree.weight[node] > 1;
      const outcome = named(tree.outcome[node], this.kind(node));
      return joined(outcome, isShort ? 'its subtree is not shown' : '');
    }
    /** Whether the tree has more nodes than are stored. */
    get isPart() { return this.deepest !== 0xffffffff; }
    /** Takes the tree of a message. */
    take({ tree: data, labels, hooks }) {
      const [deepest, length] = data;
      const column = (index) => data.subarray(2 + index * length, 2 + (index + 1) * length);
      const [depths, outcomes, nodes, entered, solved, steps] = [0, 1, 2, 3, 4, 5].map(column);
      const before = { nodes, solutions: solved };
      this.tree = new Tree(depths.subarray(0, -1), outcomes.subarray(0, -1), steps, before);
      this.labels.push(...labels);
      this.kinds = kinds(hooks, place);
      if (problem.name === 'fire-net') {
        Object.assign(this.kinds[1], { name: 'improvement', plural: 'improvements' });
      }
      Object.assign(this, { deepest, entered, solved, kindOf: byCode(this.kinds) });
    }
    solutions(node) {
      const count = this.tree.solutions[node] ?? 0, { name, plural } = this.kinds[1];
      return `${grouped(count)} ${count === 1 ? name : plural}`;
    }
    /** Returns the path to a node: the index of each step among its siblings. */
    path(node) {
      const steps = this.tree.path(node).slice(1);
      return steps.map((step, depth) => this.below[depth] ?? this.tree.place[step]).join('.');
    }
    /** Asks for the picture of a node. A child that was not admitted has no state. */
    look(node) {
      const hasState = isEntered(this.tree.outcome[node]);
      this.caption = hasState ? '' : 'The state of the parent, where this step was not admitted.';
      this.helper.send('look', this.path(hasState ? node : this.tree.parent[node]));
    }
    showPicture({ picture }) {
      const drawing = picture ? [shown(picture)] : [];
      const caption = this.caption ? [make('figcaption', { textContent: this.caption })] : [];
      element(`${this.prefix}state`).replaceChildren(...drawing, ...caption);
    }
  }
  const main = new TreeView('', searcher, select), { outline } = main;
  let shownRun;

  /** Shows the tree as it has grown. */
  function grow(message) {
    const { deepest } = main, old = shownRun === run ? main.tree : empty;
    if (old === empty) main.labels = [];
    main.take(message);
    const { tree } = main;
    shownRun = run;
    if (old.count > 60 && deepest === main.deepest && old.count <= tree.count && isDepthFirst()) {
      tree.open.set(old.open);
      tree.hide({});
    } else tree.unfoldLargest(60);
    // A report that was on its way when a control was used does not answer it.
    const isFollowed = isFollowing && message.command === lastCommand;
    const wanted = isFollowed ? tree.count - 1 : find(selectedPath);
    main.draw(wanted);
    const counts = new Uint32Array(main.kindOf.length);
    for (const code of tree.outcome) counts[code] += 1;
    legend(element('legend'), main.kinds, counts, ({ codes }) => outline.selectNext(codes));
    const shownPart = isDepthFirst()
      ? `All nodes down to depth ${main.deepest}; deeper ones are counted.`
      : `The first ${grouped(tree.count)} nodes and cuts; later ones are not stored.`;
    element('sampled-tree').textContent = main.isPart ? shownPart : '';
    document.body.dataset.count = tree.count;
    const hasFound = message.progress.stop === 'satisfied' && !selectedPath
      && isSolution(tree.outcome[tree.count - 1]);
    if (isFollowed || hasFound) outline.select(tree.count - 1);
    else if (wanted >= 0 && run.shownPath !== selectedPath) outline.select(wanted);
    else if (wanted >= 0 && (message.progress.stop || isPaused)) describe(wanted);
  }

  /** Returns the node at the end of a path, or -1. */
  function find(path) {
    const { tree } = main;
    let node = tree.count ? 0 : -1;
    for (const place of path ? path.split('.') : []) {
      let found = -1;
      tree.each(node, (child) => { if (tree.place[child] === Number(place)) found = child; });
      if ((node = found) < 0) return -1;
    }
    return node;
  }

  /** Shows a node: its outcome with the reason, and its board. */
  function select(node) {
    if (outline.selected !== node || run.shownPath !== main.path(node)) {
      element('branch').hidden = true;
    }
    selectedPath = run.shownPath = main.path(node);
    isFollowing = false;
    writeLink();
    describe(node);
    main.icicle.selected = node;
    main.icicle.draw();
    document.body.dataset.selected = node;
    main.look(node);
  }

  /** Describes a node, without its board. */
  function describe(node) {
    const { tree } = main, code = tree.outcome[node], kind = main.kind(node);
    const pruning = kind.hook && pruningOf(kind.hook);
    element('code').textContent = main.label(node);
    const isBest = code === 2 && problem.name === 'fire-net';
    const outcome = isBest ? 'the best placement so far' : inWords(code, kind);
    const below = tree.weight[node] - 1, least = main.isPart && !isDepthFirst() ? 'at least ' : '';
    const nodes = `${least}${grouped(below)} nodes and cuts below`;
    const counts = below ? `, ${nodes}, ${least}${main.solutions(node)}` : '';
    const facts = `${outcome}. Depth ${tree.depth[node]}${counts}.`;
    const about = pruning ? [make('br'), make('em', { textContent: pruning.about })] : [];
    element('reason').replaceChildren(`${facts[0].toUpperCase()}${facts.slice(1)}`, ...about);
    element('reason').title = tree.path(node).slice(1).map((step) => main.label(step)).join(' / ');
    element('return').hidden = !isDepthFirst() || !(main.entered[node] + 1 < run.progress?.nodes);
    element('open').hidden = !pruning || !run.progress;
    element('open').textContent = `What would be here without “${pruning?.title ?? ''}”?`;
  }

  // A subtree that was cut off.

  const branch = new TreeView('branch-', opener, (node) => {
    branch.icicle.selected = node;
    branch.icicle.draw();
    branch.look(node);
  });
  function onBranch(message) {
    if (message.path !== undefined) return branch.showPicture(message);
    branch.take(message);
    const { tree, below: { length: depth } } = branch, { stop } = message.progress;
    const root = depth < tree.count && tree.depth[depth] === depth ? depth : 0;
    tree.unfoldLargest(20);
    tree.reveal(root);
    branch.draw(root);
    branch.outline.scrollTo(tree.row(root));
    branch.icicle.zoom(root);
    const nodes = `${grouped(tree.weight[root] ?? 0)} nodes and cuts`;
    const progress = stop === 'exhausted' ? '' : ` (${stop ?? 'running'})`;
    element('branch-facts').textContent =
      `${nodes}, ${branch.solutions(root)}${progress}. Select a node for its board.`;
    element('branch').dataset.stop = stop ?? '';
  }
  element('open').addEventListener('click', () => {
    const { selected } = outline;
    if (selected < 0 || !run.progress) return;
    const pruning = pruningOf(main.kind(selected).hook), { bests } = run.progress;
    // The search begins with the best value that the run knew at this node or, unless it is depth
    // first, knows now.
    const incumbent = isDepthFirst() ? bests[main.solved[selected] - 1] : bests.at(-1);
    branch.below = selectedPath ? selectedPath.split('.').map(Number) : [];
    branch.clear();
    element('branch').hidden = false;
    element('branch').dataset.stop = '';
    element('branch-name').textContent = `Without “${pruning.title}”`;
    element('branch-facts').textContent = '';
    element('branch-state').replaceChildren();
    opener.renew();
    const changes = {
      on: [...on].filter((name) => name !== pruning.name).join(','),
      below: selectedPath,
      incumbent,
      strategy: 'depth',
      limit: 1_000_000,
      goal: 'all',
    };
    opener.send('start', { settings: lines(changes) });
  });

  // Sweeps: all layers are known at once, and are shown one after another.

  function beginSweep() {
    const { layers } = run.progress;
    const labels = (cells) => layers[cells].labels;
    sweep = new SweepView(run.hooks, kindsOfHooks(run.hooks, place), labels, (cells, index) => {
      main.caption = '';
      searcher.send('look', `${cells}.${index}`);
    });
    reveal(1);
    play();
  }
  /** Shows so many layers. */
  function reveal(layers) {
    clearTimeout(timer);
    revealed = Math.min(Math.max(1, layers), run.progress.layers.length);
    sweep.fill(run.progress.layers.slice(0, revealed), run.progress.layers);
    sweep.layers.select(revealed - 1);
    draw();
  }
  function play() {
    clearTimeout(timer);
    const isOver = () => revealed >= run.progress.layers.length;
    if (!sweep || isPaused || isOver()) return;
    timer = setTimeout(() => {
      reveal(revealed + 1);
      if (isOver() && problem.name === 'rocket-mania') searcher.send('look', '');
      play();
    }, 1000 / Math.min(chosenSpeed(), 30));
  }

  // Controls.

  /** Continues the run, which pauses after so many nodes. */
  const go = (nodes) => {
    isFollowing = isPaused;
    searcher.send('run', { nodes, speed: chosenSpeed(), command: lastCommand += 1 });
  };
  element('toggle').addEventListener('click', () => {
    if (document.body.dataset.stop) return restart();
    isPaused = !isPaused;
    if (problem.isSweep) play(); else go(isPaused ? 0 : Infinity);
    draw();
  });
  element('step').addEventListener('click', () => {
    if (!run.progress) return;
    isPaused = true;
    if (problem.isSweep) return reveal(revealed + 1);
    go(1);
  });
  element('back').addEventListener('click', () => {
    if (!run.progress) return;
    if (!problem.isSweep) return restart(run.progress.nodes - 1);
    isPaused = true;
    delete document.body.dataset.stop;
    reveal(revealed - 1);
  });
  element('return').addEventListener('click', () => {
    if (outline.selected >= 0) restart(main.entered[outline.selected] + 1);
  });
  element('restart').addEventListener('click', () => restart());
  const showSpeed = () => {
    const speed = chosenSpeed(), unit = problem.isSweep ? 'layers' : 'nodes';
    const text = speed === Infinity ? 'as fast as it can' : `${grouped(speed)} ${unit} a second`;
    element('speed-text').textContent = text;
    element('speed').setAttribute('aria-valuetext', text);
  };
  element('speed').addEventListener('input', () => {
    showSpeed();
    if (problem.isSweep) play(); else if (!isPaused && !run.progress?.stop) go(Infinity);
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
    const { instances, boards, cuts, tightenings, violation } = verdict;
    const { is_done: isDone, left_out: leftOut } = verdict;
    const checked = `${grouped(instances)} boards, ${grouped(cuts)} cuts `
      + `and ${grouped(tightenings)} changed states`;
    const found = leftOut
      ? `On all ${boards}, ${checked} were checked and nothing was lost, but ${grouped(leftOut)} `
        + 'checks were left out, so it is unknown whether it is sound.'
      : `It is on all ${boards}: ${checked} were checked, and nothing was lost.`;
    const passed = isDone ? found : `So far: ${checked} …`;
    if (isDone) element('verdict').setAttribute('aria-live', 'polite');
    element('verdict').className = violation ? 'unsound' : isDone && !leftOut ? 'sound' : '';
    element('verdict-text').textContent = violation
      ? `No: ${violation.loss}. It fails on this board, and on none that is one step smaller.`
      : passed;
    if (!violation) return;
    element('exhibits').replaceChildren(...violation.exhibits.map(([role, picture]) => (
      make('figure', {}, shown(picture), make('figcaption', { textContent: role })))));
    element('adopt').hidden = false;
    element('adopt').onclick = () => {
      if (problem.board) settings.board = violation.instance.trim().split('\n').slice(1).join('/');
      else settings.size = violation.instance;
      on.add(audited.name);
      drawSetup();
      change();
    };
  }

  follow();
  addEventListener('hashchange', follow);
  document.body.dataset.ready = 'true';
})();
