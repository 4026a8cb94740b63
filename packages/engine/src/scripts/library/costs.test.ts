// Every method of texts and collections pays for what it touches, so that no loop of calls outlasts the limits of a script.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lambda, type Run, type Value, ValueMap, ValueSet } from '../values/value.ts';
import type { MethodTable } from './arguments.ts';
import { COLLECTIONS_STATICS, LIST_METHODS, MAP_METHODS, SET_METHODS } from './collections.ts';
import { staticFunction } from './library.ts';
import { STRING_METHODS } from './strings.ts';

const SIZE = 6_400;
/** What one step may touch at most: items, or units of texts. */
const TOUCHED_BY_STEP = 64;

/** Methods whose time does not grow with the value; `clear` frees what was paid for when it was made. */
const CONSTANT: ReadonlySet<string> = new Set([
  ...[
    'length/0',
    'isEmpty/0',
    'charAt/1',
    'toString/0 of a text',
    'get/1',
    'getLength/0',
    'set/2',
    'size/0',
    'clear/0',
  ],
  ...[
    'add/1',
    'contains/1 of a set',
    'remove/1 of a set',
    'containsKey/1',
    'getOrDefault/2',
    'put/2',
    'putIfAbsent/2',
  ],
  ...[
    'remove/1 of a map',
    'replace/2 of a map',
    'compute/2',
    'computeIfAbsent/2',
    'computeIfPresent/2',
    'merge/3',
  ],
  ...['entrySet/0', 'keySet/0', 'values/0', 'emptyList/0', 'emptyMap/0', 'emptySet/0', 'singletonList/1'],
]);

/** A run that counts. */
function meter(): Run & { paid: number } {
  const run = { paid: 0, now: 0, spend: add, allocate: add };
  function add(units: number): void {
    run.paid += units;
  }
  return run;
}

const text = (end: string): string => `${'a'.repeat(SIZE)}${end}`;
const items = (): number[] => Array.from({ length: SIZE }, (_, i) => i);

/** Arguments that make a method work as long as it can. */
function argumentsOf(name: string, kind: string, run: Run): Value[] {
  const [method = '', arity = '0'] = name.split('/');
  const lambda = (count: number): Lambda =>
    new Lambda(count, () => {
      run.spend(1);
      return method === 'every';
    });
  if (kind === 'text') {
    const starts = /^(?:substring|subSequence)$/.test(method) ? [0, SIZE] : [text('2'), 0];
    if (method === 'replace') return ['a', 'b'];
    if (method === 'startsWith') return [text('2'), 0].slice(0, Number(arity));
    if (method === 'lastIndexOf') return ['b', SIZE].slice(0, Number(arity));
    if (method === 'splitOnToken') return ['a', -1].slice(0, Number(arity));
    return starts.slice(0, Number(arity));
  }
  if (/^(?:forEach|each|any|every|find|findAll|collect|removeIf)$/.test(method))
    return [lambda(kind === 'map' ? 2 : 1)];
  if (method === 'join') return [','];
  if (method === 'sort') return [null];
  if (method === 'subList') return [0, SIZE];
  if (method === 'equals') return [collection(kind)];
  if (/^(?:addAll|putAll)$/.test(method)) {
    const all = kind === 'map' ? collection('map') : items();
    return arity === '2' ? [0, all] : [all];
  }
  if (/^(?:containsAll|removeAll|retainAll)$/.test(method)) return [[-1]];
  if (method === 'remove' || (method === 'add' && arity === '2')) return [0, 1].slice(0, Number(arity));
  return [-1, -1].slice(0, Number(arity));
}

function collection(kind: string): Value {
  if (kind === 'list') return items();
  if (kind === 'set') return new ValueSet(new Set(items()));
  return new ValueMap(new Map(items().map((item) => [item, item])));
}

function check<T>(table: MethodTable<T>, kind: string, makeSelf: () => T, argsOf = argumentsOf): void {
  for (const [name, method] of Object.entries(table)) {
    if (CONSTANT.has(name) || CONSTANT.has(`${name} of a ${kind}`)) continue;
    const run = meter();
    method(makeSelf(), argsOf(name, kind, run), run);
    assert.ok(run.paid >= SIZE / TOUCHED_BY_STEP, `${kind}: ${name} pays ${run.paid} for ${SIZE}`);
  }
}

test('methods of texts', () => check(STRING_METHODS, 'text', () => text('1')));

test('trim pays for the blanks', () =>
  check({ trim: STRING_METHODS['trim/0']! }, 'text', () => ' '.repeat(SIZE)));

test('methods of lists, sets and maps', () => {
  check(LIST_METHODS, 'list', items);
  check(SET_METHODS, 'set', () => collection('set') as ValueSet);
  check(MAP_METHODS, 'map', () => collection('map') as ValueMap);
  check(
    COLLECTIONS_STATICS,
    'static',
    () => undefined,
    (name) => [items(), ...(name === 'sort/2' ? [null] : [])],
  );
});

test('functions of classes', () => {
  const of = (type: string, name: string, args: Value[]): void => {
    const run = meter();
    staticFunction(type, name, args.length)!(undefined, args, run);
    assert.ok(run.paid >= SIZE / TOUCHED_BY_STEP, `${type}.${name} pays ${run.paid} for ${SIZE}`);
  };
  of('String', 'join', ['', Array.from({ length: SIZE }, () => '')]);
  of('String', 'valueOf', [items()]);
  of('Objects', 'toString', [items()]);
  of('Objects', 'equals', [items(), items()]);
  of('Objects', 'equals', [text('1'), text('2')]);
  of('Double', 'parseDouble', [`${' '.repeat(SIZE)}1`]);
});

test('long keys are paid for', () => {
  const key = text('1');
  for (const [table, kind] of [
    [SET_METHODS, 'set'],
    [MAP_METHODS, 'map'],
  ] as const) {
    for (const name of [
      'contains/1',
      'remove/1',
      'add/1',
      'containsKey/1',
      'get/1',
      'put/2',
      'getOrDefault/2',
    ]) {
      if (table[name] === undefined) continue;
      const run = meter();
      (table[name] as (self: unknown, args: Value[], run: Run) => Value)(collection(kind), [key, 1], run);
      assert.ok(run.paid >= SIZE / TOUCHED_BY_STEP, `${kind}: ${name} pays ${run.paid} for a key of ${SIZE}`);
    }
  }
});
