// `doc` in a script: the fields of the document that the script runs on (LeafDocLookup of the peer).

import type { Mapping } from '../../mapping/types/type.ts';
import type { Leaf } from '../../segment/leaf.ts';
import { textArgument } from '../library/arguments.ts';
import { ScriptFault } from '../script-fault.ts';
import { ScriptObject, type Value } from '../values/value.ts';
import { type CurrentDocument, FieldValues, IdValue } from './field-values.ts';

/** The fields of one document at a time. */
export class DocumentFields extends ScriptObject implements CurrentDocument {
  readonly className = 'org.opensearch.search.lookup.LeafDocLookup';
  /** The current document in the leaf. */
  doc = 0;
  readonly #mapping: Mapping;
  readonly #leaf: Leaf;
  readonly #fields = new Map<string, FieldValues | IdValue>();

  constructor(mapping: Mapping, leaf: Leaf) {
    super();
    this.#mapping = mapping;
    this.#leaf = leaf;
  }

  override call(name: string, args: readonly Value[]): Value | undefined {
    if (args.length !== 1) return undefined;
    if (name === 'get') return this.member(textArgument(args[0]));
    return name === 'containsKey' ? this.#mapping.field(textArgument(args[0])) !== undefined : undefined;
  }

  override member(path: string): FieldValues | IdValue {
    let values = this.#fields.get(path);
    if (values !== undefined) return values;
    const field = this.#mapping.field(path);
    if (field === undefined && path === '_id') {
      values = new IdValue(this.#leaf, this);
      this.#fields.set(path, values);
      return values;
    }
    if (field === undefined)
      throw new ScriptFault('illegal_argument_exception', `No field found for [${path}] in mapping`);
    values = new FieldValues(field, this.#leaf, this);
    this.#fields.set(path, values);
    return values;
  }

  override text(): string {
    return 'doc';
  }
}
