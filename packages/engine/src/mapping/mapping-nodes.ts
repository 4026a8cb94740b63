// The tree of a mapping at work: the definitions of definition/definition.ts, with a `Field` for every
// field.

import type { Analysis } from '../analysis/registry.ts';
import type { Def, ObjectDef } from './definition/definition.ts';
import { Field, type SlotAllocator } from './field.ts';
import type { FieldSpec } from './field-spec.ts';

export interface ObjectNode {
  readonly kind: 'object';
  readonly path: string;
  readonly def: ObjectDef;
  readonly children: ReadonlyMap<string, MappingNode>;
  /** Marks documents that have such objects. Present where they are nested. */
  readonly nested?: FieldSpec;
}

interface AliasNode {
  readonly kind: 'alias';
  readonly path: string;
  readonly def: Def & { kind: 'alias' };
}

interface FieldNode {
  readonly kind: 'field';
  readonly path: string;
  readonly def: Def & { kind: 'field' };
  readonly field: Field;
}

export type MappingNode = ObjectNode | AliasNode | FieldNode;

/** Members of an object that are built between two yields. */
const MEMBERS_AT_ONCE = 64;

/** Builds the node of a definition, in steps. Unchanged fields of `before` are reused; changed ones keep their slot. */
export function* buildNode(
  path: string,
  def: Def,
  analysis: Analysis,
  slots: SlotAllocator,
  before: MappingNode | undefined,
): Generator<void, MappingNode, undefined> {
  if (def === before?.def) return before;
  if (def.kind === 'alias') return { kind: 'alias', path, def };
  if (def.kind === 'field') {
    const old = before?.kind === 'field' ? before.field : undefined;
    return { kind: 'field', path, def, field: new Field(path, def, analysis, slots, old) };
  }
  const children = new Map<string, MappingNode>();
  for (const [name, child] of def.children) {
    const full = path === '' ? name : `${path}.${name}`;
    const old = before?.kind === 'object' ? before.children.get(name) : undefined;
    children.set(name, yield* buildNode(full, child, analysis, slots, old));
    if (children.size % MEMBERS_AT_ONCE === 0) yield;
  }
  if (!def.nested) return { kind: 'object', path, def, children };
  const marked = { path: nestedMark(path), index: 'none', norms: false, column: 'none' } as const;
  return { kind: 'object', path, def, children, nested: slots.take(marked) };
}

/** The hidden field that marks documents with objects at a nested path. No mapping may define it. */
export function nestedMark(path: string): string {
  return `_nested_path.${path}`;
}

/** A copy of an object that may be modified, noted in `own`. */
export function copyNode(node: ObjectNode, own: Set<object>): ObjectNode {
  const def = { ...node.def, children: new Map(node.def.children) };
  const copy: ObjectNode = { ...node, def, children: new Map(node.children) };
  own.add(copy);
  return copy;
}

/** Adds a child in place. REQUIRES: nobody else sees the node. */
export function putChild(node: ObjectNode, name: string, child: MappingNode): void {
  (node.children as Map<string, MappingNode>).set(name, child);
  (node.def.children as Map<string, Def>).set(name, child.def);
}

/** Number of objects, fields and aliases in a definition. */
export function countFields(def: Def): number {
  let size = 1;
  if (def.kind === 'object') for (const child of def.children.values()) size += countFields(child);
  else if (def.kind === 'field') for (const child of def.fields.values()) size += countFields(child);
  return size;
}

/** Objects on the longest path, the root not counted. */
export function depthOf(def: Def): number {
  if (def.kind !== 'object') return 0;
  let depth = 0;
  for (const child of def.children.values()) {
    if (child.kind === 'object') depth = Math.max(depth, depthOf(child) + 1);
  }
  return depth;
}
