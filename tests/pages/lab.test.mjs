// The lab: each problem runs in a browser, with the counts of the command; its controls, audits
// and links work.
import assert from 'node:assert/strict';
import { mkdtempSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { kinds, launch, leastContrast, open, run, scratch, writeLab } from './browser.mjs';
import { firefox, startFirefox } from './firefox.mjs';

let browser, files, lab;

before(async () => {
  files = scratch();
  lab = writeLab(files);
  browser = await launch();
});

after(async () => {
  await browser.close();
  files.drop();
});

/** Opens the lab with these settings, and waits for the end of the run. */
async function visit(settings, { dark, isUnfinished = false } = {}) {
  const { page, complaints } = await open(browser, lab, { dark, fragment: `#${settings}` });
  await page.waitForSelector('body[data-ready]');
  if (!isUnfinished) await finished(page);
  return { page, complaints };
}

const finished = (page) => page.waitForSelector('body[data-stop]', { timeout: 120_000 });
const figure = async (page, name) =>
  (await page.locator(`#figure-${name}`).textContent()).replaceAll('\u00a0', '');
/** Returns the counts of the kinds of nodes. */
const legend = async (page) => Object.fromEntries(await kinds(page, '#legend button'));
/** Returns the level of the selected row of an outline. */
const level = (page, outline) =>
  page.locator(`#${outline} [aria-selected=true]:visible`).getAttribute('aria-level');
/** Clicks elements, even hidden ones; a disabled one ignores it. */
async function force(page, ...ids) {
  for (const id of ids) await page.evaluate((id) => document.getElementById(id).click(), id);
}
/** Changes the address, as a link does. */
async function goTo(page, settings) {
  await page.evaluate((hash) => {
    delete document.body.dataset.stop;
    location.hash = hash;
  }, settings);
  await finished(page);
}

/** Returns the counts that the command prints. */
function printed(...options) {
  const text = run('tree', ...options, '--no-pictures', '--html', files.file('tree.html'));
  const nodes = /The search: (\d+) nodes/.exec(text)?.[1] ?? /(\d+) {2}states left/.exec(text)[1];
  const cuts = [...text.matchAll(/^ *(\d+) {2}cut by ([^(\n]*?)(?: \(.*)?$/gm)]
    .map(([, count, hook]) => [hook, Number(count)]).filter(([, count]) => count);
  const [, answer] = /: ([^:]*)$/.exec(text.split('\n')[0]);
  return { nodes: Number(nodes), answer, cuts: Object.fromEntries(cuts) };
}
// An engine that is compiled without optimisation may take minutes.
const slow = { timeout: 120_000 }, slower = { timeout: 300_000 };
const fireNet = 'problem=fire-net&board=..X../...../X...X/...../..X..';
const fireNetPrunings = [
  '', '1', '1,2', '1,2,3', '1,2,3,4', '1,2,3,4,5', '1,2,3,4,5,6,7,8,9,10', '3,5,9',
];
const rocketMania =
  'problem=rocket-mania&match=3&board=L-T-LL.L/.L--LT--/T%2BLL%2B.TL/--LT-LTL/L..-TLLL';
/** Settings of the page, and options of the command that mean the same. */
const same = [
  ['problem=queens&size=6&on=', ['queens', '6']],
  ['problem=queens&size=6&on=mirror', ['queens', '6', '--mirror']],
  ['problem=queens&size=7&on=mirror', ['queens', '7', '--mirror']],
  ['problem=queens&size=8&on=', ['queens', '8']],
  ...fireNetPrunings.map((on) => [`${fireNet}&on=${on}`, ['fire-net', '--prunings', on || 'none']]),
  [
    `${fireNet}&on=1,2,3,matching&order=segments&scope=every`,
    ['fire-net', '--prunings', '1-3', '--branch', 'segments'],
  ],
  [
    'problem=knights-tour&rows=4&columns=5&start=any&goal=all&on=parity,dead-ends,one-exit,rest',
    ['knights-tour', '4', '5', '--all'],
  ],
  [
    'problem=knights-tour&rows=5&columns=5&on=',
    ['knights-tour', '5', '5', '--start', '1,1', '--prunings', 'none'],
  ],
  [
    'problem=knights-tour&rows=5&columns=5&on=dead-ends&order=pohl',
    ['knights-tour', '5', '5', '--start', '1,1', '--prunings', '2', '--rule', 'pohl'],
  ],
  [
    'problem=knights-tour&rows=3&columns=6&kind=closed&start=any&on=one-exit',
    ['knights-tour', '3', '6', '--closed', '--prunings', '3'],
  ],
  ['problem=sudoku&on=', ['sudoku']],
  ['problem=hamiltonian-cycles&rows=4&columns=6', ['hamiltonian-cycles', '4', '6']],
  [`${rocketMania}&on=1,2,4,3`, ['rocket-mania']],
  [`${rocketMania}&on=1`, ['rocket-mania', '--prunings', '1']],
];

test('its counts are those of the command', { timeout: 600_000 }, async () => {
  assert.ok(same.length >= 20);
  const { page, complaints } = await visit('problem=queens&size=4&on=');
  for (const [settings, options] of same) {
    // The two largest trees take half a minute without optimisation.
    if (!process.env.MILLION && ['none', '1'].includes(options[2])) continue;
    const expected = printed(...options);
    await goTo(page, settings);
    const name = options.join(' ');
    const isSweep = /hamiltonian|rocket/.test(name);
    assert.equal(Number(await figure(page, isSweep ? 'states' : 'nodes')), expected.nodes, name);
    const parts = (await kinds(page, '#runs tr.now .bar span')).slice(1);
    const cuts = parts.map(([kind, count]) => [kind.replace('cut by ', ''), count]);
    assert.deepEqual(Object.fromEntries(cuts), expected.cuts, name);
    const shown = (await page.locator('#answer').textContent()).replaceAll('\u00a0', '');
    const count = /\d+/.exec(shown)?.[0] ?? (/^A /.test(shown) ? '1' : '0');
    const wanted = /\d+/.exec(expected.answer)?.[0] ?? '0';
    assert.equal(count, wanted, `${name}: ${shown}, ${expected.answer}`);
  }
  assert.deepEqual(complaints, []);
  await page.close();
});

test('every problem runs, and draws its states', slower, async () => {
  const { page, complaints } = await visit('');
  const names = await page.locator('#problems button').allTextContents();
  assert.equal(names.length, 7);
  for (const name of names) {
    await page.evaluate(() => { delete document.body.dataset.stop; });
    await page.getByRole('button', { name, exact: true }).click();
    await finished(page);
    await page.waitForSelector('#state img');
    assert.ok((await page.locator('#answer').textContent()).length > 1, name);
  }
  // Any other strategy and order visits the same solutions.
  const queens = [
    'order=middle', 'order=shuffled', 'strategy=breadth', 'on=lex-leader', 'on=memo',
    'on=mirror&strategy=breadth',
  ];
  for (const settings of queens) {
    await goTo(page, `problem=queens&size=7&on=&${settings}`);
    assert.equal(await page.locator('#answer').textContent(), '40 solutions', settings);
  }
  const bunkers = [
    'strategy=breadth', 'strategy=best&on=segments', 'on=matching&order=matching',
    'on=1,2,5,9&scope=every',
  ];
  for (const settings of bunkers) {
    await goTo(page, `${fireNet}&${settings}`);
    assert.equal(await page.locator('#answer').textContent(), '7 bunkers, proved', settings);
  }
  await goTo(page, 'problem=queens&size=11&on=&limit=1000');
  assert.equal(await figure(page, 'nodes'), '1000');
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a run is paused, stepped, and taken back to a node', slow, async () => {
  const { page, complaints } = await visit('problem=queens&size=18&on=', { isUnfinished: true });
  const reached = (nodes) => page.waitForFunction((nodes) => {
    const figure = document.getElementById('figure-nodes');
    return figure?.textContent.replaceAll('\u00a0', '') === String(nodes);
  }, nodes, { timeout: 60_000 });
  await page.locator('#toggle', { hasText: 'Pause' }).click();
  await page.locator('#toggle', { hasText: 'Run' }).waitFor();
  await page.waitForTimeout(100);
  const nodes = Number(await figure(page, 'nodes'));
  await page.locator('#step').click();
  await reached(nodes + 1);
  await page.locator('#back').click();
  await reached(nodes);
  await page.locator('#tree').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  assert.match(await page.locator('#code').textContent(), /column 1/);
  await page.locator('#return').click();
  await reached(2);
  // A run at a limited speed.
  await page.locator('#speed').fill('2');
  await page.locator('#toggle').click();
  await page.waitForFunction(() => (
    Number(document.getElementById('figure-nodes')?.textContent) > 3));
  assert.deepEqual(complaints, []);
  await page.close();
});

test('controls wait for a sweep, and for a run that has started', slow, async () => {
  const sweep = 'problem=hamiltonian-cycles&rows=10&columns=10';
  const { page, complaints } = await visit(sweep, { isUnfinished: true });
  await force(page, 'step', 'toggle', 'toggle', 'back');
  await page.locator('#speed').fill('3');
  await page.locator('#speed').fill('10');
  await goTo(page, 'problem=queens&size=5&on=');
  // A maze without a start.
  await page.evaluate(() => { location.hash = 'problem=maze&board=..G'; });
  await page.locator('#warning:visible', { hasText: 'board' }).waitFor();
  await force(page, 'step', 'toggle', 'back', 'toggle');
  await page.locator('#speed').fill('3');
  assert.match(await page.locator('#warning').textContent(), /board/);
  await page.locator('#speed').fill('10');
  await goTo(page, 'problem=queens&size=5&on=');
  assert.equal(await page.locator('#answer').textContent(), '10 solutions');
  // The unit of the speed is that of the problem.
  await page.locator('#speed').fill('6');
  await goTo(page, 'problem=hamiltonian-cycles&rows=4&columns=4');
  assert.equal(await page.locator('#speed-text').textContent(), '300 layers a second');
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a size is predicted only for the tree that is searched', slow, async () => {
  const { page, complaints } = await visit('problem=queens&size=8&on=');
  await page.locator('#figure-predicted').waitFor();
  // A memo knows what was searched, and a maze without the closed set has no end.
  const endless = 'problem=maze&on=&goal=all&board=S.%23G&limit=1000';
  for (const settings of ['problem=queens&size=8&on=memo', endless]) {
    await goTo(page, settings);
    await page.waitForTimeout(1000);
    assert.equal(await page.locator('#figure-predicted').count(), 0, settings);
  }
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a link with values that a setting cannot have is corrected, and says so', async () => {
  const link = 'problem=queens&size=99&on=mirror,nothing&order=up&limit=abc';
  const { page, complaints } = await visit(link, { isUnfinished: true });
  assert.equal(await page.locator('#field-size').inputValue(), '20');
  assert.equal(await page.locator('#field-order').inputValue(), 'left');
  assert.match(await page.locator('#warning').textContent(), /size, order, limit/);
  assert.match(await page.evaluate(() => location.hash), /on=mirror&?/);
  await goTo(page, `problem=fire-net&on=1,2&limit=1000&board=${'.'.repeat(41)}`);
  assert.match(await page.locator('#warning').textContent(), /board/);
  assert.equal(await page.locator('#cells button').count(), 25);
  await goTo(page, 'problem=queens&size=6&on=&order=left%0Asize=3');
  assert.equal(await page.locator('#answer').textContent(), '4 solutions');
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a subtree that was cut off is opened', async () => {
  const { page, complaints } = await visit('problem=queens&size=6&on=mirror');
  await page.locator('#legend [data-kind="cut by mirror"]').click();
  const reason = await page.locator('#reason').textContent();
  assert.match(reason, /Not admitted by mirror.*mirror images/s);
  await page.locator('#open').click();
  await page.waitForSelector('#branch[data-stop=exhausted]');
  // The fourth column has one of the four solutions of six queens, and the tree of its mirror
  // image.
  assert.match(await page.locator('#branch-facts').textContent(), /^25 nodes and cuts, 1 solution/);
  await page.locator('#branch-icicle').click({ position: { x: 40, y: 30 } });
  await page.waitForSelector('#branch-state img');
  // Its outline has the keys of that of the run.
  const selected = page.locator('#branch-tree [aria-selected=true]:visible');
  const image = page.locator('#branch-state img');
  const press = async (...keys) => {
    const before = await image.getAttribute('src');
    for (const key of keys) await page.keyboard.press(key);
    const isNew = (before) => document.querySelector('#branch-state img').src !== before;
    await page.waitForFunction(isNew, before);
  };
  await page.locator('#branch-tree').focus();
  await press('Home');
  assert.match(await selected.textContent(), /root/);
  await press('ArrowDown', 'ArrowDown');
  assert.equal(await selected.getAttribute('aria-level'), '3');
  assert.match(await selected.textContent(), /column 1/);
  // Its answers do not arrive after a change of settings.
  await page.locator('#legend [data-kind="cut by mirror"]').click();
  await page.evaluate(() => {
    for (const id of ['open', 'on-memo']) document.getElementById(id).click();
  });
  await page.waitForTimeout(500);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a subtree that was cut off is searched with the best value that the run knew', async () => {
  const { page, complaints } = await visit(`${fireNet}&on=1,2,3`);
  for (let i = 0; i < 6; i++) {
    await page.locator('#legend [data-kind="cut by 3: too few cells"]').click();
    const depth = await level(page, 'tree');
    await page.locator('#open').click();
    await page.waitForSelector('#branch[data-stop=exhausted]');
    // The pruning is sound: without it, nothing better is found.
    const facts = await page.locator('#branch-facts').textContent();
    assert.match(facts, /^[1-9].*nodes and cuts, 0 improvements/);
    assert.equal(await level(page, 'branch-tree'), depth);
  }
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a root that was cut off is opened', async () => {
  const { page, complaints } = await visit('problem=knights-tour&kind=closed&on=parity');
  assert.match(await page.locator('#figure-nodes').textContent(), /^1$/);
  await page.locator('#legend [data-kind="cut by parity"]').click();
  await page.locator('#open').click();
  // Without the pruning, the search may take longer than the page allows it.
  await page.waitForFunction(() => {
    const facts = document.getElementById('branch-facts').textContent;
    return Number(/^[\d\u00a0]+/.exec(facts)?.[0].replaceAll('\u00a0', '')) > 1000;
  });
  assert.equal(await level(page, 'branch-tree'), '1');
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a deep cut is visible in the outline of its subtree', async () => {
  // The path to the cut has more steps than the outline has unfolded rows.
  const settings = 'problem=knights-tour&rows=8&columns=8&on=dead-ends,one-exit,rest';
  const { page, complaints } = await visit(settings);
  await page.evaluate(() => {
    /** @type {HTMLElement} */
    const next = document.querySelector('#legend [data-kind="cut by one exit"]');
    const row = () => document.querySelector('#tree [aria-selected=true]:not([hidden])');
    next.click();
    for (let i = 1; i < 286 && row().ariaLevel <= 40; i++) next.click();
  });
  const depth = await level(page, 'tree');
  assert.ok(depth > 40);
  await page.locator('#open').click();
  await page.waitForSelector('#branch[data-stop=exhausted]');
  assert.equal(await level(page, 'branch-tree'), depth);
  const inView = () => {
    const selected = document.querySelector('#branch-tree [aria-selected=true]:not([hidden])');
    const list = document.getElementById('branch-tree').getBoundingClientRect();
    const row = selected.getBoundingClientRect();
    return row.top >= list.top - 1 && row.bottom <= list.bottom + 1;
  };
  assert.ok(await page.evaluate(inView));
  assert.deepEqual(complaints, []);
  await page.close();
});

test('nothing is opened in a run that has not begun, and going back says so', async () => {
  const { page, complaints } = await visit('problem=queens&size=6&on=mirror');
  await page.locator('#legend [data-kind="cut by mirror"]').click();
  assert.ok(await page.locator('#open').isVisible());
  // All within one task, before the new run reports.
  const hidden = await page.evaluate(() => {
    document.getElementById('restart').click();
    const hidden = ['open', 'return'].map((id) => document.getElementById(id).hidden);
    document.getElementById('open').click();
    /** @type {HTMLElement} */
    const next = document.querySelector('#legend [data-kind="cut by mirror"]');
    next.click();
    document.getElementById('open').click();
    return [...hidden, document.getElementById('open').hidden];
  });
  assert.deepEqual(hidden, [true, true, true]);
  await finished(page);
  const shown = await page.evaluate(() => {
    document.getElementById('back').click();
    return ['toggle', 'figure-state'].map((id) => document.getElementById(id).textContent);
  });
  assert.deepEqual(shown, ['Run', 'going back …']);
  await page.waitForFunction(() => (
    document.getElementById('figure-state')?.textContent === 'paused'));
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a tree too large to show says which part is shown, for each strategy', async () => {
  const { page, complaints } = await visit('problem=queens&size=10&on=');
  const remark = async () =>
    (await page.locator('#sampled-tree').textContent()).replaceAll('\u00a0', '');
  assert.equal(await remark(), '');
  await goTo(page, 'problem=queens&size=11&on=');
  assert.match(await remark(), /^All nodes down to depth \d+; deeper ones are counted\.$/);
  await goTo(page, 'problem=queens&size=11&on=&strategy=breadth');
  assert.equal(await remark(), 'The first 40000 nodes and cuts; later ones are not stored.');
  const counts = await legend(page);
  assert.equal(Object.values(counts).reduce((sum, count) => sum + count), 40_000);
  // Children of these nodes may exist among those that are not stored.
  assert.ok(counts.unfinished > 0);
  assert.equal(await figure(page, 'state'), 'the tree is searched');
  // The frontier of a run that has ended early has no dead ends.
  for (const strategy of ['depth', 'breadth']) {
    await goTo(page, `problem=queens&size=8&on=&limit=4&strategy=${strategy}`);
    assert.equal((await legend(page))['dead end'], 0, strategy);
  }
  assert.deepEqual(complaints, []);
  await page.close();
});

test('an audit finds the smallest board on which a pruning is wrong', slower, async () => {
  const { page, complaints } = await visit(`${fireNet}&on=1,2`);
  await page.locator('#wrong summary').click();
  for (const name of ['5', '9a', '9b', '9c', '10a', '10b', '10c']) {
    await page.locator(`#audit-wrong-${name}`).click();
    await page.waitForSelector('#verdict.unsound', { timeout: 120_000 });
    assert.equal(await page.locator('#exhibits img').count(), 2, name);
    await page.evaluate(() => { document.getElementById('verdict').className = ''; });
  }
  await page.locator('#audit-wrong-9a').click();
  await page.waitForSelector('#verdict.unsound');
  await page.locator('#adopt').click();
  await page.waitForFunction(() => (
    /but \d+ fit/.test(document.getElementById('answer').textContent)));
  assert.match(await page.locator('#warning').textContent(), /unsound/);
  await goTo(page, 'problem=queens&on=');
  await page.locator('#wrong summary').click();
  await page.locator('#audit-left-half').click();
  await page.waitForSelector('#verdict.unsound');
  await page.locator('#audit-mirror').click();
  await page.waitForSelector('#verdict.sound', { timeout: 120_000 });
  const text = await page.locator('#verdict-text').textContent();
  assert.match(text, /all empty boards of 4 to 8 rows/);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a link carries all settings, and runs stay beside each other', async () => {
  const { page } = await visit('problem=queens&size=6&on=mirror&order=middle&node=0.1');
  assert.equal(await page.locator('#field-size').inputValue(), '6');
  assert.equal(await page.locator('#field-order').inputValue(), 'middle');
  assert.equal(await page.locator('#on-mirror').isChecked(), true);
  assert.equal(await page.locator('#tree [aria-selected=true]').getAttribute('aria-level'), '3');
  await page.locator('#on-mirror').uncheck();
  await page.locator('#runs tbody tr').nth(1).waitFor();
  await finished(page);
  const address = await page.evaluate(() => location.hash);
  await page.locator('#runs tbody button').click();
  await page.waitForFunction(() => document.getElementById('on-mirror').checked);
  const { page: other } = await visit(address.slice(1));
  assert.equal(await other.locator('#on-mirror').isChecked(), false);
  assert.equal(await figure(other, 'nodes'), '153');
  await page.close();
  await other.close();
});

test('boards are edited by mouse and by keyboard', async () => {
  const { page } = await visit(`${fireNet}&on=1,2`);
  await page.locator('#cells button').first().click();
  assert.match(decodeURIComponent(await page.evaluate(() => location.hash)), /board=X\.X/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.match(decodeURIComponent(await page.evaluate(() => location.hash)), /board=X\.X\.\.\/X\./);
  await page.locator('#draw').click();
  await page.waitForFunction(() => !/board=X\.X/.test(decodeURIComponent(location.hash)));
  await finished(page);
  // Rocket Mania has no walls, and leaves their number as it was.
  const { page: other } = await visit('problem=rocket-mania');
  await other.locator('#random-seed').fill('5');
  const before = await other.evaluate(() => location.hash);
  await other.locator('#draw').click();
  await other.waitForFunction((before) => location.hash !== before, before);
  await goTo(other, 'problem=fire-net');
  assert.equal(await other.locator('#random-density').inputValue(), '20');
  await other.close();
  await page.close();
});

test('it is legible in light and dark mode, and on a narrow screen', async () => {
  for (const dark of [false, true]) {
    for (const settings of [`${fireNet}&on=1,2,3`, 'problem=rocket-mania']) {
      const { page } = await visit(settings, { dark });
      const { ratio, text } = await leastContrast(page);
      assert.ok(ratio >= 4.5, `${ratio} of ${text}, ${dark ? 'dark' : 'light'}`);
      await page.setViewportSize({ width: 390, height: 740 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 390, `${wide} pixels wide`);
      await page.close();
    }
  }
});

test('it is a single file of at most 3 MB', { skip: !!process.env.ENGINE }, () => {
  assert.ok(statSync(lab).size <= 3_000_000, `${statSync(lab).size} bytes`);
});

test('it opens from disk in Firefox', { timeout: 300_000, skip: !firefox() }, async () => {
  const { send, end } = await startFirefox(mkdtempSync(join(files.directory, 'firefox-')));
  try {
    const url = `${pathToFileURL(lab).href}#problem=queens&size=8&on=mirror`;
    await send('WebDriver:Navigate', { url });
    const script = `
      const done = arguments[0], answer = document.getElementById('answer');
      const look = () => {
        if (document.body.dataset.stop) done(answer.textContent); else setTimeout(look, 50);
      };
      look();`;
    const wait = { script, args: [], scriptTimeout: 120_000 };
    const { value } = await send('WebDriver:ExecuteAsyncScript', wait);
    assert.equal(value, '92 solutions');
  } finally {
    end();
  }
});

// The frames are printed only: they depend on the machine.
const million = { timeout: 600_000, skip: !process.env.MILLION };
test('a run of ten million nodes keeps the page at 30 frames a second', million, async () => {
  const { page } = await visit('problem=queens&size=14&on=&limit=10000000');
  const intervals = await page.evaluate(() => new Promise((resolve) => {
    const all = [];
    let last;
    const frame = (now) => {
      if (last) all.push(now - last);
      last = now;
      if (document.body.dataset.stop) resolve(all); else requestAnimationFrame(frame);
    };
    document.getElementById('restart').click();
    requestAnimationFrame(frame);
  }));
  const total = intervals.reduce((sum, one) => sum + one, 0);
  const rate = Math.round(1000 * intervals.length / total);
  const longest = Math.round(Math.max(...intervals));
  console.log(`${rate} frames a second, the longest took ${longest} ms; `
    + `${await figure(page, 'time')} of search`);
  assert.equal(await figure(page, 'nodes'), '10000000');
  await page.close();
});
