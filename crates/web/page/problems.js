'use strict';
// The problems, their settings and their prunings, as the page offers them. The names are those that the engine reads.

/**
 * @typedef {{ name: string, label: string, value: string, options?: [string, string][], least?: number, most?: number }} Field
 * @typedef {{ name: string, hook?: string, title: string, about: string, isWrong?: boolean, isAudited?: boolean, not?: string[] }} Pruning
 * @typedef {{ name: string, noun?: string, title: string, about: string, fields: Field[], prunings: Pruning[], on: string[],
 *   board?: { symbols: string, names: string[], value: string, isRandom?: boolean, density?: number }, isSweep?: boolean }} ProblemPage
 */

const number = (name, label, value, least, most) => ({ name, label, value: String(value), least, most });
const choice = (name, label, ...options) => ({ name, label, value: options[0][0], options });
const strategies = [['depth', 'depth first'], ['breadth', 'breadth first']];
const limit = { ...number('limit', 'Limit of nodes (0: none)', 0, 0, 1e9) };

const wrong = (name, about) => ({ name: `wrong-${name}`, hook: `${name}, read wrongly`, title: `${name}, misread`, about, isWrong: true, isAudited: true });

/** @type {ProblemPage[]} */
const problems = [
  {
    name: 'fire-net', title: 'Fire-net', about: 'Place as many bunkers as possible, so that no two see each other along a row or a column. Walls block the sight.',
    board: { symbols: '.X', names: ['empty', 'a wall'], value: '..X../...../X...X/...../..X..', isRandom: true, density: 20 },
    fields: [
      choice('order', 'Branch on', ['cells', 'cells, as the article does'], ['segments', 'the smallest segment'], ['matching', 'the smallest segment, a matching first']),
      choice('scope', 'Prunings 5 to 10', ['root', 'at the root only'], ['every', 'at every node']),
      choice('strategy', 'Strategy', ...strategies, ['best', 'best first']),
      limit,
    ],
    on: ['1', '2'],
    prunings: [
      { name: '1', title: '1 · a list of candidates', about: 'Tries only cells that no bunker sees.' },
      { name: '2', title: '2 · increasing order', about: 'Places the bunkers in increasing order of their cells, so that each set of bunkers comes up once.' },
      { name: '3', hook: '3: too few cells', title: '3 · too few cells', about: 'Even a bunker on each cell that is left would not beat the best placement so far.', isAudited: true },
      { name: '4', hook: '4: enough bunkers', title: '4 · enough bunkers', about: 'There are as many bunkers as segments: no placement has more.', isAudited: true },
      { name: '5', hook: '5: one candidate', title: '5 · one candidate', about: 'Places a bunker in a segment with a single candidate.', isAudited: true },
      { name: '6', hook: '6: closed rectangle', title: '6 · closed rectangle', about: 'Fills a rectangle that is walled on four sides along its diagonal.', isAudited: true },
      { name: '7', hook: '7: open short side', title: '7 · open short side', about: 'Fills a rectangle that is walled on three sides and open on a short one.', isAudited: true },
      { name: '8', hook: '8: walled long sides', title: '8 · walled long sides', about: 'Fills a rectangle that is walled along both long sides.', isAudited: true },
      { name: '9', hook: '9: open side', title: '9 · open side', about: 'Fills the closed lines of a rectangle that is walled on three sides.', isAudited: true },
      { name: '10', hook: '10: open ends', title: '10 · open ends', about: 'Fills the closed lines of a rectangle that is walled on two opposite sides.', isAudited: true },
      ...[['cells', 'the candidates'], ['segments', 'the segments with a candidate'], ['components', 'the segments, summed over components'], ['matching', 'a maximum matching, which is exact']].map(([name, about], index, all) => (
        { name, hook: `bound: ${name}`, title: `Bound: ${name}`, about: `No completion has more bunkers than ${about}, and that does not beat the best placement so far.`, isAudited: true, not: all.map(([other]) => other).filter((other) => other !== name) })),
      wrong('5', 'Places a bunker on any cell of a segment with two candidates.'),
      wrong('9a', 'Walled on three sides: as many bunkers as it has lines, on any diagonal.'),
      wrong('9b', 'Walled on three sides: a bunker in the line next to the wall at the side.'),
      wrong('9c', 'Walled on three sides: as many bunkers as it has lines, on closed lines first, then anywhere.'),
      wrong('10a', 'Walled on two opposite sides: as many bunkers as there are closed lines, on any diagonal.'),
      wrong('10b', 'Walled on two opposite sides: bunkers on lines with a wall at one end.'),
      wrong('10c', 'Walled on two opposite sides: bunkers on lines whose walls are those of another line rotated by 180 degrees.'),
    ],
  },
  {
    name: 'queens', noun: 'solution', title: 'Queens', about: 'Place n queens on a board of n rows, one in each row, so that no two attack each other.',
    fields: [
      number('size', 'Rows and queens', 8, 1, 20),
      choice('order', 'Order of columns', ['left', 'from the left'], ['middle', 'from the middle'], ['shuffled', 'shuffled']),
      number('seed', 'Seed of the shuffle', 1, 0, 1e9),
      choice('goal', 'Find', ['all', 'all solutions'], ['first', 'the first solution']),
      choice('strategy', 'Strategy', ...strategies), limit,
    ],
    on: ['mirror'],
    prunings: [
      { name: 'mirror', hook: 'mirror', title: 'Mirror', about: 'Keeps one of two solutions that are mirror images, and counts it twice: the first queen stays in the left half.', isAudited: true },
      { name: 'lex-leader', hook: 'lex-leader', title: 'Lex-leader', about: 'Keeps one of up to eight solutions that are rotations and reflections of each other, and counts it as often.', isAudited: true },
      { name: 'memo', hook: 'memo', title: 'Memo', about: 'The same squares were attacked before, on another path: the solutions below were counted there.' },
      { name: 'left-half', hook: 'left half', title: 'Left half, misread', about: 'Like the mirror, but on boards of odd size it forgets the middle column, which is its own mirror image.', isWrong: true, isAudited: true },
    ],
  },
  {
    name: 'knights-tour', noun: 'tour', title: 'Knight’s tour', about: 'Lead a knight over all squares of a board, each once.',
    fields: [
      number('rows', 'Rows', 5, 1, 16), number('columns', 'Columns', 5, 1, 16),
      choice('start', 'Start', ['corner', 'in the corner'], ['any', 'on any square']),
      choice('kind', 'Tour', ['open', 'open'], ['closed', 'closed: back to the start']),
      choice('order', 'Order of squares', ['plain', 'as they come'], ['warnsdorff', 'fewest exits (Warnsdorff)'], ['farthest', 'fewest exits, farthest from the centre'], ['successor', 'successor with fewest exits'], ['pohl', 'sum of successors’ exits (Pohl)'], ['successor-farthest', 'successor, then farthest']),
      choice('goal', 'Find', ['first', 'the first tour'], ['all', 'all tours']),
      choice('strategy', 'Strategy', ...strategies), limit,
    ],
    on: [],
    prunings: [
      { name: 'parity', hook: 'parity', title: 'Parity', about: 'A tour alternates between dark and light squares: from here, the colours of the squares do not balance.' },
      { name: 'dead-ends', hook: 'dead ends', title: 'Dead ends', about: 'A free square has no exit left, and it is not the last one.' },
      { name: 'one-exit', hook: 'one exit', title: 'One exit', about: 'Two squares would both have to be the last one, or both the next one.' },
      { name: 'rest', hook: 'disconnected rest', title: 'Disconnected rest', about: 'The free squares fall apart: no knight gets from one part to the other.' },
    ],
  },
  {
    name: 'maze', noun: 'path', title: 'Maze', about: 'Shannon’s mouse looks for the goal of a maze, step by step.',
    board: { symbols: '.#SG', names: ['open', 'a wall', 'the start', 'the goal'], value: 'S....#..../.###.#.##./...#...#../.#.###.#.#/.#.....#../.#####.##./.....#..#./.###.#.##./.#...#..../...#...#.G' },
    fields: [
      choice('order', 'Order of steps', ['up,right,down,left', 'up, right, down, left'], ['right,down,left,up', 'right, down, left, up'], ['left,up,right,down', 'left, up, right, down']),
      choice('goal', 'Find', ['first', 'the first path'], ['all', 'all paths']),
      choice('strategy', 'Strategy', ...strategies), limit,
    ],
    on: ['closed-set'],
    prunings: [{ name: 'closed-set', hook: 'closed set', title: 'Closed set', about: 'The mouse was on this square before. Without this pruning it walks in circles for ever: set a limit of nodes.' }],
  },
  {
    name: 'sudoku', noun: 'solution', title: 'Sudoku', about: 'Fill each row, each column and each box with the numbers from 1 to 9.',
    board: { symbols: '.123456789', names: ['blank', '1', '2', '3', '4', '5', '6', '7', '8', '9'], value: '..4..26../.321...9./1...8.3../...2..5../.98....4./.....69../..96.548./........5/.7.8.....' },
    fields: [
      choice('level', 'Propagation', ['full', 'full: with all-different'], ['arc', 'arc consistency'], ['forward', 'forward checking'], ['backward', 'none: backtracking']),
      choice('order', 'Next cell', ['smallest', 'with the fewest numbers left'], ['input', 'row by row']),
      choice('goal', 'Find', ['all', 'all solutions'], ['first', 'the first solution']),
      choice('strategy', 'Strategy', ...strategies), { ...limit, value: '1000000' },
    ],
    on: [],
    prunings: [],
  },
  {
    name: 'rocket-mania', title: 'Rocket Mania', isSweep: true, about: 'Turn the blocks of fuse so that fire from a match on the left gets to as many rockets on the right as possible. The sweep goes block by block, and unites what looks alike from the unswept side.',
    board: { symbols: '.-LT+', names: ['no fuse', 'straight', 'a bend', 'a branch', 'a cross'], value: 'L-TT-L/LTT-+-/LT-L.T/TLT-TL/LLT+LL', isRandom: true },
    fields: [choice('matches', 'Lit', ['one', 'the match of one row'], ['all', 'all matches']), number('match', 'Row of the match', 3, 1, 13)],
    on: ['1', '2', '3', '4'],
    prunings: [
      { name: '1', hook: '1: extinguished', title: '1 · extinguished', about: 'No fuse that crosses the contour burns.' },
      { name: '2', hook: '2: lone plugs', title: '2 · lone plugs', about: 'Forgets a fuse that does not burn and is connected to no other one.' },
      { name: '3', hook: '3: outshone', title: '3 · outshone', about: 'Another contour of the layer burns everywhere and has lit as many rockets.' },
      { name: '4', hook: '4: unlit rockets', title: '4 · unlit rockets', about: 'Forgets connections that can light no rocket.' },
      { name: 'best', hook: 'dominance: best', title: 'Dominance: best', about: 'The best contour of the layer contains this one.', not: ['full'] },
      { name: 'full', hook: 'dominance: full', title: 'Dominance: full', about: 'Some contour of the layer contains this one.', not: ['best'] },
    ],
  },
  {
    name: 'hamiltonian-cycles', noun: 'cycle', title: 'Hamiltonian cycles', isSweep: true, about: 'Count the loops through all cells of a board. The sweep goes cell by cell; a state says which path ends cross the contour, and which belong together.',
    fields: [number('rows', 'Rows', 6, 1, 14), number('columns', 'Columns', 6, 1, 14)],
    on: [],
    prunings: [],
  },
];
