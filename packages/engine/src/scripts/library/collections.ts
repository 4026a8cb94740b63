// Methods of lists, sets and maps, and the views of a map.

import { classCast, ScriptFault } from '../script-fault.ts';
import { compareValues } from '../values/arithmetic.ts';
import {
  asNumber,
  Double,
  javaEquals,
  type Key,
  type List,
  type Run,
  ScriptObject,
  textOf,
  type Value,
  ValueMap,
  ValueSet,
} from '../values/value.ts';
import {
  intArgument,
  itemsArgument,
  keyArgument,
  lambdaArgument,
  type MethodTable,
  mapArgument,
  textArgument,
  truth,
} from './arguments.ts';

/** The position of an item; throws where there is none. */
export function position(list: List, value: Value | undefined, most: number = list.length - 1): number {
  const index = intArgument(value);
  if (index >= 0 && index <= most) return index;
  throw new ScriptFault(
    'index_out_of_bounds_exception',
    `Index ${index} out of bounds for length ${list.length}`,
  );
}

function find(list: List, value: Value, run: Run): number {
  return list.findIndex((item) => {
    run.spend(2);
    return javaEquals(item, value, run);
  });
}

/** Removes items in place; true if any was removed. */
function removeWhere(list: List, test: (item: Value) => boolean, run: Run): boolean {
  run.spend(list.length);
  const kept = list.filter((item) => !test(item));
  const isChanged = kept.length < list.length;
  if (!isChanged) return false;
  list.length = 0;
  for (const item of kept) list.push(item);
  return true;
}

function addAll(list: List, at: number, items: List, run: Run): boolean {
  run.allocate(items.length);
  run.spend(items.length + list.length - at);
  const rest = list.splice(at);
  for (const item of [...items]) list.push(item);
  for (const item of rest) list.push(item);
  return items.length > 0;
}

/** Sorts in place; equal items stay in order. */
export function sortList(list: List, comparator: Value | undefined, run: Run): void {
  const compare =
    comparator === null || comparator === undefined
      ? (a: Value, b: Value) => compareValues(a, b, run)
      : (
          (call) => (a: Value, b: Value) =>
            intArgument(call(a, b))
        )(lambdaArgument(comparator, 2));
  list.sort((a, b) => {
    run.spend(4);
    return compare(a, b);
  });
}

/** Methods of everything that has items, over a copy of them. */
const ITERATION: MethodTable<List> = {
  'forEach/1': (items, [action]) => {
    const call = lambdaArgument(action, 1);
    for (const item of items) call(item);
    return null;
  },
  'each/1': (items, [action]) => {
    const call = lambdaArgument(action, 1);
    for (const item of items) call(item);
    return null;
  },
  'any/1': (items, [test]) => {
    const call = lambdaArgument(test, 1);
    return items.some((item) => truth(call(item)));
  },
  'every/1': (items, [test]) => {
    const call = lambdaArgument(test, 1);
    return items.every((item) => truth(call(item)));
  },
  'find/1': (items, [test]) => {
    const call = lambdaArgument(test, 1);
    return items.find((item) => truth(call(item))) ?? null;
  },
  'findAll/1': (items, [test], run) => {
    const call = lambdaArgument(test, 1);
    run.allocate(items.length);
    return items.filter((item) => truth(call(item)));
  },
  'collect/1': (items, [change], run) => {
    const call = lambdaArgument(change, 1);
    run.allocate(items.length);
    return items.map((item) => call(item));
  },
  'join/1': (items, [separator], run) => {
    const between = textArgument(separator);
    let text = '';
    for (const [i, item] of items.entries()) {
      const part = (i === 0 ? '' : between) + textOf(item, run);
      run.allocate(part.length / 4 + 1);
      text += part;
    }
    return text;
  },
  'sum/0': (items, _, run) => {
    run.spend(items.length);
    let sum = 0;
    for (const item of items) {
      const number = asNumber(item);
      if (number === undefined) throw classCast(`[sum] needs numbers, found [${textOf(item, run)}]`);
      sum += number;
    }
    return new Double(sum);
  },
};

export const LIST_METHODS: MethodTable<List> = {
  ...ITERATION,
  'add/1': (list, [item], run) => {
    run.allocate(1);
    list.push(item!);
    return true;
  },
  'add/2': (list, [at, item], run) => {
    run.allocate(1);
    run.spend(list.length / 16);
    list.splice(position(list, at, list.length), 0, item!);
    return null;
  },
  'addAll/1': (list, [items], run) => addAll(list, list.length, itemsArgument(items, run), run),
  'addAll/2': (list, [at, items], run) =>
    addAll(list, position(list, at, list.length), itemsArgument(items, run), run),
  'clear/0': (list) => {
    list.length = 0;
    return null;
  },
  'contains/1': (list, [item], run) => find(list, item!, run) !== -1,
  'containsAll/1': (list, [items], run) =>
    itemsArgument(items, run).every((item) => find(list, item, run) !== -1),
  'equals/1': (list, [other], run) => javaEquals(list, other!, run),
  'get/1': (list, [at]) => list[position(list, at)]!,
  'getLength/0': (list) => list.length,
  'indexOf/1': (list, [item], run) => find(list, item!, run),
  'isEmpty/0': (list) => list.length === 0,
  'lastIndexOf/1': (list, [item], run) =>
    list.findLastIndex((each) => {
      run.spend(1);
      return javaEquals(each, item!, run);
    }),
  'remove/1': (list, [at], run) => {
    run.spend(list.length / 16);
    return list.splice(position(list, at), 1)[0]!;
  },
  'removeAll/1': (list, [items], run) => {
    const gone = itemsArgument(items, run);
    return removeWhere(list, (item) => find(gone, item, run) !== -1, run);
  },
  'removeIf/1': (list, [test], run) => {
    const call = lambdaArgument(test, 1);
    return removeWhere(list, (item) => truth(call(item)), run);
  },
  'retainAll/1': (list, [items], run) => {
    const kept = itemsArgument(items, run);
    return removeWhere(list, (item) => find(kept, item, run) === -1, run);
  },
  'set/2': (list, [at, item]) => {
    const index = position(list, at);
    const old = list[index]!;
    list[index] = item!;
    return old;
  },
  'size/0': (list) => list.length,
  'sort/1': (list, [comparator], run) => {
    sortList(list, comparator, run);
    return null;
  },
  'subList/2': (list, [from, to], run) => {
    const [start, end] = [intArgument(from), intArgument(to)];
    if (start < 0 || end > list.length || start > end)
      throw new ScriptFault('index_out_of_bounds_exception', `fromIndex: ${start}, toIndex: ${end}`);
    run.allocate(end - start);
    return list.slice(start, end);
  },
  'toString/0': (list, _, run) => textOf(list, run),
};

/** Methods of iteration of a collection that is no list. */
function iterate(items: List, name: string, args: readonly Value[], run: Run): Value | undefined {
  return ITERATION[name]?.(items, args, run);
}

export const SET_METHODS: MethodTable<ValueSet> = {
  ...Object.fromEntries(
    Object.keys(ITERATION).map((name) => [
      name,
      (set: ValueSet, args: readonly Value[], run: Run) => {
        run.spend(set.items.size);
        return iterate([...set.items], name, args, run)!;
      },
    ]),
  ),
  'add/1': ({ items }, [item], run) => {
    const { size } = items;
    run.allocate(2);
    items.add(keyArgument(item, run));
    return items.size > size;
  },
  'addAll/1': ({ items }, [more], run) => {
    const { size } = items;
    const added = itemsArgument(more, run);
    run.allocate(2 * added.length);
    for (const item of added) items.add(keyArgument(item, run));
    return items.size > size;
  },
  'clear/0': ({ items }) => {
    items.clear();
    return null;
  },
  'contains/1': ({ items }, [item], run) => items.has(keyArgument(item, run)),
  'equals/1': (set, [other], run) => javaEquals(set, other!, run),
  'isEmpty/0': ({ items }) => items.size === 0,
  'remove/1': ({ items }, [item], run) => items.delete(keyArgument(item, run)),
  'removeIf/1': ({ items }, [test], run) => {
    const { size } = items;
    const call = lambdaArgument(test, 1);
    run.spend(items.size);
    for (const item of [...items]) if (truth(call(item))) items.delete(item);
    return items.size < size;
  },
  'size/0': ({ items }) => items.size,
  'toString/0': (set, _, run) => textOf(set, run),
};
/** Sets a member of a map. */
export function putMember(map: ValueMap, key: Value | undefined, value: Value, run: Run): Value {
  checkChange(map);
  const own = keyArgument(key, run);
  const old = map.entries.get(own);
  if (old === undefined) run.allocate(8);
  map.entries.set(own, value);
  return old ?? null;
}

function removeMember(map: ValueMap, key: Value | undefined, run: Run): Value {
  checkChange(map);
  const own = keyArgument(key, run);
  const old = map.entries.get(own) ?? null;
  map.entries.delete(own);
  return old;
}

function checkChange({ isFixed }: ValueMap): void {
  if (isFixed) throw new ScriptFault('unsupported_operation_exception', 'the map cannot be changed');
}

/** The value of a key that nothing can have as a key is null, too. */
export function getMember({ entries }: ValueMap, key: Value | undefined, run: Run): Value {
  return entries.get(keyArgument(key, run)) ?? null;
}

/** One member of a map; a change of its value changes the map. */
class MapEntry extends ScriptObject {
  readonly className = 'java.util.Map$Entry';
  readonly #map: ValueMap;
  readonly #key: Key;

  constructor(map: ValueMap, key: Key) {
    super();
    this.#map = map;
    this.#key = key;
  }

  override call(name: string, args: readonly Value[], run: Run): Value | undefined {
    if (name === 'getKey' && args.length === 0) return this.#key;
    if (name === 'getValue' && args.length === 0) return getMember(this.#map, this.#key, run);
    if (name === 'setValue' && args.length === 1) return putMember(this.#map, this.#key, args[0]!, run);
    return undefined;
  }

  override text(run: Run): string {
    return `${textOf(this.#key, run)}=${textOf(getMember(this.#map, this.#key, run), run, 1)}`;
  }
}

/** The keys, values or entries of a map: what is removed here is removed there. */
class MapView extends ScriptObject {
  override readonly isCollection = true;
  readonly className: string;
  readonly #map: ValueMap;
  readonly #itemOf: (key: Key) => Value;
  readonly #run: Run;

  constructor(map: ValueMap, className: string, itemOf: (key: Key) => Value, run: Run) {
    super();
    this.#map = map;
    this.className = className;
    this.#itemOf = itemOf;
    this.#run = run;
  }

  override items(run: Run): List {
    const { entries } = this.#map;
    run.allocate(entries.size);
    run.spend(entries.size);
    return [...entries.keys()].map(this.#itemOf);
  }

  override call(name: string, args: readonly Value[], run: Run): Value | undefined {
    const method = `${name}/${args.length}`;
    const [first] = args;
    switch (method) {
      case 'size/0':
        return this.#map.entries.size;
      case 'isEmpty/0':
        return this.#map.entries.size === 0;
      case 'remove/1':
        return this.#removeWhere((item) => javaEquals(item, first!, run), 1);
      case 'removeAll/1':
        return this.#removeWhere((item) => find(itemsArgument(first, run), item, run) !== -1);
      case 'retainAll/1':
        return this.#removeWhere((item) => find(itemsArgument(first, run), item, run) === -1);
      case 'removeIf/1': {
        const call = lambdaArgument(first, 1);
        return this.#removeWhere((item) => truth(call(item)));
      }
      case 'contains/1':
      case 'containsAll/1':
        return LIST_METHODS[method]!(this.items(run), args, run);
      case 'toString/0':
        return this.text(run);
      default:
        return iterate(this.items(run), method, args, run);
    }
  }

  override text(run: Run): string {
    return textOf(this.items(run), run);
  }

  #removeWhere(test: (item: Value) => boolean, most = Number.POSITIVE_INFINITY): boolean {
    checkChange(this.#map);
    let removed = 0;
    this.#run.spend(this.#map.entries.size);
    for (const key of [...this.#map.entries.keys()]) {
      this.#run.spend(1);
      if (removed >= most || !test(this.#itemOf(key))) continue;
      this.#map.entries.delete(key);
      removed++;
    }
    return removed > 0;
  }
}

export const MAP_METHODS: MethodTable<ValueMap> = {
  'clear/0': (map) => {
    checkChange(map);
    map.entries.clear();
    return null;
  },
  'computeIfAbsent/2': (map, [key, make], run) => {
    const old = getMember(map, key, run);
    if (old !== null) return old;
    const value = lambdaArgument(make, 1)(key!);
    if (value !== null) putMember(map, key, value, run);
    return value;
  },
  'computeIfPresent/2': (map, [key, change], run) => {
    const old = getMember(map, key, run);
    return old === null ? null : replaceBy(map, key, lambdaArgument(change, 2)(key!, old), run);
  },
  'compute/2': (map, [key, change], run) =>
    replaceBy(map, key, lambdaArgument(change, 2)(key!, getMember(map, key, run)), run),
  'merge/3': (map, [key, value, join], run) => {
    const old = getMember(map, key, run);
    return replaceBy(map, key, old === null ? value! : lambdaArgument(join, 2)(old, value!), run);
  },
  'containsKey/1': ({ entries }, [key], run) => entries.has(keyArgument(key, run)),
  'containsValue/1': ({ entries }, [value], run) => {
    run.spend(entries.size);
    return find([...entries.values()], value!, run) !== -1;
  },
  'entrySet/0': (map, _, run) => new MapView(map, 'java.util.Set', (key) => new MapEntry(map, key), run),
  'equals/1': (map, [other], run) => javaEquals(map, other!, run),
  'forEach/1': (map, [action], run) => {
    const call = lambdaArgument(action, 2);
    run.spend(map.entries.size);
    for (const [key, value] of [...map.entries]) call(key, value);
    return null;
  },
  'get/1': (map, [key], run) => getMember(map, key, run),
  'getOrDefault/2': ({ entries }, [key, otherwise], run) => {
    const value = entries.get(keyArgument(key, run));
    return value === undefined ? otherwise! : value;
  },
  'isEmpty/0': ({ entries }) => entries.size === 0,
  'keySet/0': (map, _, run) => new MapView(map, 'java.util.Set', (key) => key, run),
  'put/2': (map, [key, value], run) => putMember(map, key, value!, run),
  'putAll/1': (map, [other], run) => {
    run.spend(mapArgument(other).entries.size);
    for (const [key, value] of [...mapArgument(other).entries]) {
      run.spend(1);
      putMember(map, key, value, run);
    }
    return null;
  },
  'putIfAbsent/2': (map, [key, value], run) => {
    const old = getMember(map, key, run);
    if (old === null) putMember(map, key, value!, run);
    return old;
  },
  'remove/1': (map, [key], run) => removeMember(map, key, run),
  'replace/2': (map, [key, value], run) =>
    map.entries.has(keyArgument(key, run)) ? putMember(map, key, value!, run) : null,
  'size/0': ({ entries }) => entries.size,
  'toString/0': (map, _, run) => textOf(map, run),
  'values/0': (map, _, run) =>
    new MapView(map, 'java.util.Collection', (key) => map.entries.get(key) ?? null, run),
};

/** Puts a value, or removes the key if it is null. */
function replaceBy(map: ValueMap, key: Value | undefined, value: Value, run: Run): Value {
  if (value === null) removeMember(map, key, run);
  else putMember(map, key, value, run);
  return value;
}

export const COLLECTIONS_STATICS: MethodTable<undefined> = {
  'emptyList/0': () => [],
  'emptyMap/0': () => new ValueMap(),
  'emptySet/0': () => new ValueSet(),
  'singletonList/1': (_, [item]) => [item!],
  'max/1': (_, [items], run) => extreme(itemsArgument(items, run), 1, run),
  'min/1': (_, [items], run) => extreme(itemsArgument(items, run), -1, run),
  'reverse/1': (_, [items], run) => {
    const list = itemsArgument(items, run);
    run.spend(list.length);
    list.reverse();
    return null;
  },
  'sort/1': (_, [items], run) => {
    sortList(itemsArgument(items, run), null, run);
    return null;
  },
  'sort/2': (_, [items, comparator], run) => {
    sortList(itemsArgument(items, run), comparator, run);
    return null;
  },
};

function extreme(items: List, sign: 1 | -1, run: Run): Value {
  if (items.length === 0) throw new ScriptFault('illegal_state_exception', 'the collection is empty');
  return items.reduce((best, item) => {
    run.spend(1);
    return compareValues(item, best, run) * sign > 0 ? item : best;
  });
}
