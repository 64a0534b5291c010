'use strict';
// The problems, their settings and their prunings, as the page offers them. The names are those
// that the engine reads.

/**
 * @typedef {{
 *   name: string, label: string, value: string, options?: [string, string][],
 *   least?: number, most?: number,
 * }} Field
 * @typedef {{
 *   name: string, hook?: string, title: string, about: string, isWrong?: boolean,
 *   isAudited?: boolean, not?: string[],
 * }} Pruning
 * @typedef {{
 *   symbols: string, names: string[], value: string, isRandom?: boolean, density?: number,
 * }} Board
 * @typedef {{
 *   name: string, noun?: string, title: string, about: string, fields: Field[],
 *   prunings: Pruning[], on: string[], board?: Board, isSweep?: boolean,
 * }} ProblemPage
 */

const number = (name, label, value, least, most) => (
  { name, label, value: String(value), least, most });
const choice = (name, label, ...options) => ({ name, label, value: options[0][0], options });
const strategies = [['depth', 'depth first'], ['breadth', 'breadth first']];
const limit = number('limit', 'Limit of nodes (0: none)', 0, 0, 1e9);

/** Returns a pruning with a number. */
const rule = (name, text, about) => (
  { name, hook: `${name}: ${text}`, title: `${name} · ${text}`, about });
/** Returns a pruning whose name and title are those of its hook. */
const titled = (hook, about) => {
  const title = `${hook[0].toUpperCase()}${hook.slice(1)}`;
  return { name: hook.replace(' ', '-'), hook, title, about };
};
const withAudit = (pruning) => ({ ...pruning, isAudited: true });
const misread = (name, hook, title, about) =>
  withAudit({ name, hook, title, about, isWrong: true });
const wrong = (name, about) =>
  misread(`wrong-${name}`, `${name}, read wrongly`, `${name}, misread`, about);

const dominance = (name, other, about) => (
  { name, hook: `dominance: ${name}`, title: `Dominance: ${name}`, about, not: [other] });
const bounds = [
  ['cells', 'the candidates'],
  ['segments', 'the segments with a candidate'],
  ['components', 'the segments, summed over components'],
  ['matching', 'a maximum matching, which is exact'],
];
/** Returns the pruning by one of the bounds, which excludes the others. */
const bound = ([name, text]) => withAudit({
  name, hook: `bound: ${name}`, title: `Bound: ${name}`,
  about: `No completion has more bunkers than ${text}, and that does not beat the best placement `
    + 'so far.',
  not: bounds.map(([other]) => other).filter((other) => other !== name),
});

/** @type {ProblemPage[]} */
const problems = [
  {
    name: 'fire-net', title: 'Fire-net',
    about: 'Place as many bunkers as possible, so that no two see each other along a row or a '
      + 'column. Walls block the sight.',
    board: {
      symbols: '.X', names: ['empty', 'a wall'], value: '..X../...../X...X/...../..X..',
      isRandom: true, density: 20,
    },
    fields: [
      choice('order', 'Branch on',
        ['cells', 'cells, as the article does'], ['segments', 'the smallest segment'],
        ['matching', 'the smallest segment, a matching first']),
      choice('scope', 'Prunings 5 to 10', ['root', 'at the root only'], ['every', 'at every node']),
      choice('strategy', 'Strategy', ...strategies, ['best', 'best first']),
      limit,
    ],
    on: ['1', '2'],
    prunings: [
      {
        name: '1', title: '1 · a list of candidates',
        about: 'Tries only cells that no bunker sees.',
      },
      {
        name: '2', title: '2 · increasing order',
        about: 'Places the bunkers in increasing order of their cells, so that each set of '
          + 'bunkers comes up once.',
      },
      ...[
        rule('3', 'too few cells',
          'Even a bunker on each cell that is left would not beat the best placement so far.'),
        rule('4', 'enough bunkers',
          'There are as many bunkers as segments: no placement has more.'),
        rule('5', 'one candidate', 'Places a bunker in a segment with a single candidate.'),
        rule('6', 'closed rectangle',
          'Fills a rectangle that is walled on four sides along its diagonal.'),
        rule('7', 'open short side',
          'Fills a rectangle that is walled on three sides and open on a short one.'),
        rule('8', 'walled long sides', 'Fills a rectangle that is walled along both long sides.'),
        rule('9', 'open side',
          'Fills the closed lines of a rectangle that is walled on three sides.'),
        rule('10', 'open ends',
          'Fills the closed lines of a rectangle that is walled on two opposite sides.'),
      ].map(withAudit),
      ...bounds.map(bound),
      wrong('5', 'Places a bunker on any cell of a segment with two candidates.'),
      wrong('9a', 'Walled on three sides: as many bunkers as it has lines, on any diagonal.'),
      wrong('9b', 'Walled on three sides: a bunker in the line next to the wall at the side.'),
      wrong('9c', 'Walled on three sides: as many bunkers as it has lines, on closed lines first, '
        + 'then anywhere.'),
      wrong('10a', 'Walled on two opposite sides: as many bunkers as there are closed lines, on '
        + 'any diagonal.'),
      wrong('10b', 'Walled on two opposite sides: bunkers on lines with a wall at one end.'),
      wrong('10c', 'Walled on two opposite sides: bunkers on lines whose walls are those of '
        + 'another line rotated by 180 degrees.'),
    ],
  },
  {
    name: 'queens', noun: 'solution', title: 'Queens',
    about: 'Place n queens on a board of n rows, one in each row, so that no two attack each '
      + 'other.',
    fields: [
      number('size', 'Rows and queens', 8, 1, 20),
      choice('order', 'Order of columns',
        ['left', 'from the left'], ['middle', 'from the middle'], ['shuffled', 'shuffled']),
      number('seed', 'Seed of the shuffle', 1, 0, 1e9),
      choice('goal', 'Find', ['all', 'all solutions'], ['first', 'the first solution']),
      choice('strategy', 'Strategy', ...strategies), limit,
    ],
    on: ['mirror'],
    prunings: [
      withAudit(titled('mirror', 'Keeps one of two solutions that are mirror images, and counts it '
        + 'twice: the first queen stays in the left half.')),
      withAudit(titled('lex-leader', 'Keeps one of up to eight solutions that are rotations and '
        + 'reflections of each other, and counts it as often.')),
      titled('memo', 'The same squares were attacked before, on another path: the solutions below '
        + 'were counted there.'),
      misread('left-half', 'left half', 'Left half, misread', 'Like the mirror, but on boards of '
        + 'odd size it forgets the middle column, which is its own mirror image.'),
    ],
  },
  {
    name: 'knights-tour', noun: 'tour', title: 'Knight’s tour',
    about: 'Lead a knight over all squares of a board, each once.',
    fields: [
      number('rows', 'Rows', 5, 1, 16), number('columns', 'Columns', 5, 1, 16),
      choice('start', 'Start', ['corner', 'in the corner'], ['any', 'on any square']),
      choice('kind', 'Tour', ['open', 'open'], ['closed', 'closed: back to the start']),
      choice('order', 'Order of squares',
        ['plain', 'as they come'], ['warnsdorff', 'fewest exits (Warnsdorff)'],
        ['farthest', 'fewest exits, farthest from the centre'],
        ['successor', 'successor with fewest exits'], ['pohl', 'sum of successors’ exits (Pohl)'],
        ['successor-farthest', 'successor, then farthest']),
      choice('goal', 'Find', ['first', 'the first tour'], ['all', 'all tours']),
      choice('strategy', 'Strategy', ...strategies), limit,
    ],
    on: [],
    prunings: [
      titled('parity', 'A tour alternates between dark and light squares: from here, the colours '
        + 'of the squares do not balance.'),
      titled('dead ends', 'A free square has no exit left, and it is not the last one.'),
      titled('one exit', 'Two squares would both have to be the last one, or both the next one.'),
      {
        name: 'rest', hook: 'disconnected rest', title: 'Disconnected rest',
        about: 'The free squares fall apart: no knight gets from one part to the other.',
      },
    ],
  },
  {
    name: 'maze', noun: 'path', title: 'Maze',
    about: 'Shannon’s mouse looks for the goal of a maze, step by step.',
    board: {
      symbols: '.#SG', names: ['open', 'a wall', 'the start', 'the goal'],
      value: 'S....#..../.###.#.##./...#...#../.#.###.#.#/.#.....#../.#####.##./.....#..#./'
        + '.###.#.##./.#...#..../...#...#.G',
    },
    fields: [
      choice('order', 'Order of steps',
        ['up,right,down,left', 'up, right, down, left'],
        ['right,down,left,up', 'right, down, left, up'],
        ['left,up,right,down', 'left, up, right, down']),
      choice('goal', 'Find', ['first', 'the first path'], ['all', 'all paths']),
      choice('strategy', 'Strategy', ...strategies), limit,
    ],
    on: ['closed-set'],
    prunings: [
      titled('closed set', 'The mouse was on this square before. Without this pruning it walks in '
        + 'circles for ever: set a limit of nodes.'),
    ],
  },
  {
    name: 'sudoku', noun: 'solution', title: 'Sudoku',
    about: 'Fill each row, each column and each box with the numbers from 1 to 9.',
    board: {
      symbols: '.123456789', names: ['blank', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
      value: '..4..26../.321...9./1...8.3../...2..5../.98....4./.....69../..96.548./........5/'
        + '.7.8.....',
    },
    fields: [
      choice('level', 'Propagation',
        ['full', 'full: with all-different'], ['arc', 'arc consistency'],
        ['forward', 'forward checking'], ['backward', 'none: backtracking']),
      choice('order', 'Next cell',
        ['smallest', 'with the fewest numbers left'], ['input', 'row by row']),
      choice('goal', 'Find', ['all', 'all solutions'], ['first', 'the first solution']),
      choice('strategy', 'Strategy', ...strategies), { ...limit, value: '1000000' },
    ],
    on: [],
    prunings: [],
  },
  {
    name: 'rocket-mania', title: 'Rocket Mania', isSweep: true,
    about: 'Turn the blocks of fuse so that fire from a match on the left gets to as many rockets '
      + 'on the right as possible. The sweep goes block by block, and unites what looks alike '
      + 'from the unswept side.',
    board: {
      symbols: '.-LT+', names: ['no fuse', 'straight', 'a bend', 'a branch', 'a cross'],
      value: 'L-TT-L/LTT-+-/LT-L.T/TLT-TL/LLT+LL', isRandom: true,
    },
    fields: [
      choice('matches', 'Lit', ['one', 'the match of one row'], ['all', 'all matches']),
      number('match', 'Row of the match', 3, 1, 13),
    ],
    on: ['1', '2', '3', '4'],
    prunings: [
      rule('1', 'extinguished', 'No fuse that crosses the contour burns.'),
      rule('2', 'lone plugs',
        'Forgets a fuse that does not burn and is connected to no other one.'),
      rule('3', 'outshone',
        'Another contour of the layer burns everywhere and has lit as many rockets.'),
      rule('4', 'unlit rockets', 'Forgets connections that can light no rocket.'),
      dominance('best', 'full', 'The best contour of the layer contains this one.'),
      dominance('full', 'best', 'Some contour of the layer contains this one.'),
    ],
  },
  {
    name: 'hamiltonian-cycles', noun: 'cycle', title: 'Hamiltonian cycles', isSweep: true,
    about: 'Count the loops through all cells of a board. The sweep goes cell by cell; a state '
      + 'says which path ends cross the contour, and which belong together.',
    fields: [number('rows', 'Rows', 6, 1, 14), number('columns', 'Columns', 6, 1, 14)],
    on: [],
    prunings: [],
  },
];
