// Maps the bytes of a document in one pass of the scanner: values go to the sink as terms and keys,
// unknown fields are added to the mapping, and anything invalid is an error before the document is
// stored.

import { EngineError, illegalArgument } from '../../errors.ts';
import { ByteScratch, bytesOf } from '../../json/bytes.ts';
import { parseJson, readValue } from '../../json/parse.ts';
import {
  ARRAY_END,
  ARRAY_START,
  KEY,
  NULL,
  NUMBER,
  OBJECT_START,
  Scanner,
  STRING,
} from '../../json/scanner.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Def, Dynamic } from '../definition/definition.ts';
import { DEFAULT_TYPE, type DetectedType } from '../definition/dynamic-templates.ts';
import { mapperParsing } from '../definition/type-params.ts';
import type { Field } from '../field.ts';
import { type DocSink, NO_SINK } from '../field-spec.ts';
import { geohashOf } from '../geo/geo-points.ts';
import type { IndexMapping } from '../index-mapping.ts';
import type { MappingNode, ObjectNode } from '../mapping-nodes.ts';
import type { Mapping } from '../types/type.ts';
import {
  documentFailure,
  isDocumentFault,
  META_FIELDS,
  metaFault,
  notAnObject,
  objectFault,
  opensObject,
  strictMappingFault,
  valueFault,
  WholeDocumentError,
} from './document-errors.ts';
import { inferField, inferObject, inferType } from './infer-field.ts';
import { TextWriter } from './text-writer.ts';
import { type CompletionInput, readInputs, writeCompletion } from './write-completion.ts';
import { readScalar, writeFlat, writeGeo, writeRange } from './write-composites.ts';
import { writeFeature, writeFeatures } from './write-features.ts';
import { newScalar, nullScalar, type Scalar, scalarText, tokenName, writeScalar } from './write-scalar.ts';

/** A document's identity and options, beside its source. */
export interface DocumentContext {
  readonly id: string;
  readonly index?: string;
  readonly routing?: string | undefined;
  /**
   * True if the document was accepted before (a replay, a changed mapping): members that do not fit any more are left out, as
   * if malformed and ignored.
   */
  readonly isAccepted?: boolean;
  /** Deepest nesting of objects and arrays. @default the scanner's limit */
  readonly nesting?: number;
  /** Receives nested objects. Without it they are checked, and the document is marked as having some. */
  readonly objects?: ObjectSink;
}

/** Receives the fields of nested objects, each object as a document of its own. Objects within it come before its end. */
export interface ObjectSink {
  begin(path: string): DocSink;
  end(path: string): void;
}

/** Where the fields of a document, or of a nested object within it, go. */
interface Scope {
  /** Path of the nested object; empty for the document. */
  readonly path: string;
  readonly sink: DocSink;
  readonly text: TextWriter;
}

/**
 * Maps one document into `sink` and returns the mapping: a new one if the document added fields. Throws EngineErrors in
 * OpenSearch's words; the owner of the sink then drops the part that it received. New fields of a failed document are
 * discarded; their slots are not reused. O(bytes); not reentrant.
 */
export function mapDocument(
  mapping: Mapping,
  source: Uint8Array,
  start: number,
  end: number,
  sink: DocSink,
  context: DocumentContext,
): Mapping {
  return mapper.map(mapping as IndexMapping, source, start, end, sink, context);
}

/** The reusable mapper: the state of the current document, and scratch. */
class DocumentMapper {
  #scanner = new Scanner();
  /** Reads nested objects once more, for the scopes that include their fields. */
  #again: Scanner | undefined;
  readonly #scratch = new ByteScratch();
  readonly #value: Scalar = newScalar();
  #mapping!: IndexMapping;
  #sink!: DocSink;
  #context!: DocumentContext;
  #source!: Uint8Array;
  #origin = 0;
  #end = 0;
  #text = new TextWriter();
  /** By number of scopes. */
  readonly #texts: TextWriter[] = [this.#text];
  /** The document, then the nested objects that are open. Empty until the first of them. */
  readonly #scopes: Scope[] = [];
  /** The features of the document, or of the nested object that is open; absent until the first of them. */
  #features: Set<string> | undefined;
  #objects = 0;
  #isIncluding = false;
  /** Types that this document gave to new fields: all its values must agree. */
  readonly #newTypes = new Map<string, string>();
  /** Parts of the mapping that were created for this document. */
  readonly #own = new Set<object>();
  /** Paths whose values were left out. */
  readonly #ignored = new Set<string>();

  map(
    mapping: IndexMapping,
    source: Uint8Array,
    start: number,
    end: number,
    sink: DocSink,
    context: DocumentContext,
  ): Mapping {
    if (mapping.routingRequired && context.routing === undefined && context.isAccepted !== true) {
      throw new EngineError(
        'routing_missing_exception',
        `routing is required for [${context.index ?? '_na_'}]/[${context.id}]`,
      );
    }
    this.#mapping = mapping;
    this.#source = source;
    this.#origin = start;
    this.#end = end;
    this.#sink = sink;
    this.#context = context;
    this.#text = this.#texts[0]!;
    this.#text.begin(sink);
    this.#scopes.length = 0;
    this.#objects = 0;
    this.#features = undefined;
    this.#isIncluding = false;
    // `clear` allocates a new table even if the map is empty.
    if (this.#newTypes.size > 0) this.#newTypes.clear();
    if (this.#own.size > 0) this.#own.clear();
    if (this.#ignored.size > 0) this.#ignored.clear();
    const scanner = this.#scanner;
    scanner.reset(source, start, end, context.nesting);
    try {
      if (!opensObject(source, start, end)) throw notAnObject();
      scanner.next();
      if (!mapping.root.def.enabled) scanner.skip();
      else this.#object(mapping.root, mapping.root.def.dynamic ?? 'true');
      scanner.next();
    } catch (error) {
      throw documentFailure(error);
    }
    if (this.#ignored.size > 0) this.#writeIgnored(mapping);
    return this.#mapping;
  }

  #writeIgnored({ ignored }: IndexMapping): void {
    for (const path of this.#ignored) {
      const length = this.#scratch.setText(path);
      this.#sink.keyword(ignored, this.#scratch.bytes, 0, length);
    }
  }

  /**
   * Reads the members of an object; the scanner stands on its opening brace. `dynamic` is the setting in
   * force.
   */
  #object(from: ObjectNode, dynamic: Dynamic): void {
    const scanner = this.#scanner;
    const isAccepted = this.#isAccepted;
    let node = from;
    while (scanner.next() === KEY) {
      const name = scanner.keys.text(scanner.key);
      if (isAccepted) {
        this.#acceptedMember(this.#current(node), name, dynamic);
        continue;
      }
      const child = node.children.get(name);
      scanner.next();
      if (child !== undefined) this.#member(child, dynamic);
      else {
        // The document may have added fields to this object, by copy_to or a dotted name.
        node = this.#current(node);
        const added = node.children.get(name);
        if (added !== undefined) this.#member(added, dynamic);
        else this.#unknown(node, name, dynamic);
      }
    }
  }

  /** A member of a document that was accepted before: a value that does not fit any more is skipped. */
  #acceptedMember(node: ObjectNode, name: string, dynamic: Dynamic): void {
    const scanner = this.#scanner;
    const { depth } = scanner;
    scanner.next();
    try {
      const child = node.children.get(name);
      if (child !== undefined) this.#member(child, dynamic);
      else this.#unknown(node, name, dynamic);
    } catch (error) {
      if (!isDocumentFault(error) && !(error instanceof WholeDocumentError)) throw error;
      this.#ignored.add(node.path === '' ? name : `${node.path}.${name}`);
      while (scanner.depth > depth) scanner.next();
    }
  }

  /** A value of an existing node. */
  #member(node: MappingNode, dynamic: Dynamic): void {
    if (node.kind === 'field') this.#field(node.field);
    else if (node.kind === 'object')
      this.#objectValues(node, node.def.dynamic ?? dynamic, node.path.slice(node.path.lastIndexOf('.') + 1));
    else if (this.#scanner.token === NULL) return;
    else throw illegalArgument(`Cannot write to a field alias [${node.path}].`);
  }

  /** Values of an object: one, or any array of them; null is no value. */
  #objectValues(node: ObjectNode, dynamic: Dynamic, shownAs: string): void {
    const scanner = this.#scanner;
    const token = scanner.token;
    if (!node.def.enabled) {
      scanner.skip();
      return;
    }
    if (token === OBJECT_START) {
      if (node.nested === undefined) this.#object(this.#current(node), dynamic);
      else this.#nestedObject(node, dynamic);
    } else if (token === ARRAY_START)
      while (scanner.next() !== ARRAY_END) this.#objectValues(node, dynamic, 'null');
    else if (token !== NULL) {
      throw mapperParsing(
        `object mapping for [${node.path}] tried to parse field [${shownAs}] as object, but found a concrete value`,
      );
    }
  }

  /** One nested object: its fields go to a scope of its own, and to the scopes that include them. */
  #nestedObject(node: ObjectNode, dynamic: Dynamic): void {
    const { path, def } = node;
    if (this.#isIncluding) {
      if (def.params['include_in_parent'] === true) this.#object(this.#current(node), dynamic);
      else this.#scanner.skip();
      return;
    }
    const limit = this.#mapping.limits.nestedObjects;
    if (++this.#objects > limit && !this.#isAccepted) {
      throw mapperParsing(
        `The number of nested documents has exceeded the allowed limit of [${limit}]. This limit can be set by changing the [index.mapping.nested_objects.limit] index level setting.`,
      );
    }
    if (this.#scopes.length === 0) this.#scopes.push({ path: '', sink: this.#sink, text: this.#text });
    const outer = this.#scopes.at(-1)!;
    const root = this.#scopes[0]!;
    root.sink.present(node.nested!);
    const start = this.#scanner.position - 1;
    const { objects } = this.#context;
    const text = (this.#texts[this.#scopes.length] ??= new TextWriter());
    const inner = { path, sink: objects?.begin(path) ?? NO_SINK, text };
    this.#scopes.push(inner);
    const features = this.#features;
    this.#features = undefined;
    this.#enter(inner, true);
    this.#object(this.#current(node), dynamic);
    this.#scopes.pop();
    this.#features = features;
    this.#enter(outer);
    const end = this.#scanner.position;
    if (def.params['include_in_parent'] === true) this.#include(node, dynamic, start, end, outer);
    if (
      def.params['include_in_root'] === true &&
      (root !== outer || def.params['include_in_parent'] !== true)
    )
      this.#include(node, dynamic, start, end, root);
    this.#enter(outer);
    objects?.end(path);
  }

  #enter({ sink, text }: Scope, isNew: boolean = false): void {
    this.#sink = sink;
    this.#text = text;
    if (isNew) text.begin(sink);
  }

  /** Writes the fields of the nested object in source[start … end) to another scope too. */
  #include(node: ObjectNode, dynamic: Dynamic, start: number, end: number, scope: Scope): void {
    if (scope.sink === NO_SINK) return;
    const scanner = this.#scanner;
    this.#again ??= new Scanner();
    this.#again.reset(this.#source, start, end, this.#context.nesting);
    this.#again.next();
    this.#scanner = this.#again;
    this.#isIncluding = true;
    this.#enter(scope);
    try {
      this.#object(this.#current(node), dynamic);
    } finally {
      this.#scanner = scanner;
      this.#isIncluding = false;
    }
  }

  get #isAccepted(): boolean {
    return this.#context.isAccepted === true;
  }

  /** The node as the current mapping has it: elements of an array may have added fields. */
  #current(node: ObjectNode): ObjectNode {
    const now = this.#mapping.node(node.path);
    return now?.kind === 'object' ? now : node;
  }

  /** A member whose name is not mapped as it stands: a dotted path, a meta field, or something new. */
  #unknown(node: ObjectNode, name: string, dynamic: Dynamic): void {
    if (node.path === '' && META_FIELDS.has(name)) throw metaFault(name, this.#context.id, this.#preview());
    if (name.includes('.')) {
      this.#dotted(node, name, dynamic);
      return;
    }
    if (name === '') throw illegalArgument('field name cannot be an empty string');
    this.#dynamic(node, name, dynamic);
  }

  #preview(): string {
    return this.#scanner.token === OBJECT_START ? '{}' : scalarText(readScalar(this.#scanner, this.#value));
  }

  /** `a.b.c`: the same as nested objects. */
  #dotted(from: ObjectNode, name: string, inherited: Dynamic): void {
    const names = name.split('.');
    while (names.at(-1) === '') names.pop();
    if (names.length === 0) throw illegalArgument('field name cannot contain only the character [.]');
    if (names.some((part) => part.trim() === '')) {
      throw illegalArgument(
        `object field starting or ending with a [.] makes object resolution ambiguous: [${name}]`,
      );
    }
    let node = from;
    let dynamic = inherited;
    for (const [i, part] of names.slice(0, -1).entries()) {
      let child = node.children.get(part);
      const path = node.path === '' ? part : `${node.path}.${part}`;
      if (child === undefined) {
        const def = inferObject(this.#mapping, node, part, dynamic);
        if (def === undefined) {
          this.#scanner.skip();
          return;
        }
        this.#add(node, part, def);
        child = this.#mapping.node(path)!;
      }
      if (child.kind === 'field' && child.field.kind === 'flat_object') {
        const rest = names.slice(i + 1);
        writeFlat(child.field, [path, ...rest].join('.'), this.#scanner, this.#sink, this.#scratch);
        return;
      }
      if (child.kind !== 'object') {
        if (this.#newTypes.has(child.path))
          throw illegalArgument(`can't merge a non object mapping [${child.path}] with an object mapping`);
        const type = child.kind === 'field' ? child.def.type : 'alias';
        throw mapperParsing(
          `Could not dynamically add mapping for field [${fullName(from, names)}]. Existing mapping for [${child.path}] must be of type object but found [${type}].`,
        );
      }
      if (!child.def.enabled) {
        this.#scanner.skip();
        return;
      }
      if (child.def.nested && !this.#isIncluding) {
        throw mapperParsing(
          `Cannot add a value for field [${fullName(from, names)}] since one of the intermediate objects is mapped as a nested object: [${path}]`,
        );
      }
      node = child;
      dynamic = child.def.dynamic ?? dynamic;
    }
    const last = names.at(-1)!;
    const child = node.children.get(last);
    if (child !== undefined) this.#member(child, dynamic);
    else this.#dynamic(node, last, dynamic);
  }

  /** A field that the mapping does not have yet. */
  #dynamic(node: ObjectNode, name: string, dynamic: Dynamic): void {
    const scanner = this.#scanner;
    const token = scanner.token;
    if (dynamic === 'strict' && !this.#isAccepted) throw strictMappingFault(dynamic, name, node.path);
    if (dynamic === 'false' || dynamic === 'strict') {
      scanner.skip();
      return;
    }
    if (token === ARRAY_START) {
      // Elements one by one: the first that is not null decides.
      while (scanner.next() !== ARRAY_END) {
        const now = this.#current(node);
        const child = now.children.get(name);
        if (child === undefined) this.#dynamic(now, name, dynamic);
        else this.#member(child, dynamic);
      }
      return;
    }
    if (token === NULL) return;
    const path = node.path === '' ? name : `${node.path}.${name}`;
    const def =
      token === OBJECT_START
        ? inferObject(this.#mapping, node, name, dynamic)
        : inferField(this.#mapping, name, path, readScalar(this.#scanner, this.#value), dynamic, node.path);
    if (def === undefined) {
      scanner.skip();
      return;
    }
    this.#add(node, name, def);
    const added = this.#mapping.node(path)!;
    if (added.kind === 'object') this.#objectValues(added, added.def.dynamic ?? dynamic, name);
    else if (added.kind === 'field') this.#field(added.field);
  }

  #add(node: ObjectNode, name: string, def: Def): void {
    const depth = node.path === '' ? 1 : node.path.split('.').length + 1;
    const limit = this.#mapping.limits.depth;
    if (depth >= limit && def.kind === 'object') {
      throw new EngineError(
        'parse_exception',
        `The depth of the field has exceeded the allowed limit of [${limit}]. This limit can be set by changing the [index.mapping.depth.limit] index level setting.`,
      );
    }
    this.#mapping = this.#mapping.add(node.path, name, def, this.#own);
    if (def.kind === 'field') this.#newTypes.set(node.path === '' ? name : `${node.path}.${name}`, def.type);
  }

  /** Values of a field: the scanner stands on the first token. */
  #field(target: Field): void {
    const scanner = this.#scanner;
    if (target.kind === 'geo_point' && scanner.token !== NULL) {
      const points = writeGeo(target, scanner, this.#sink, this.#ignored, this.#isAccepted);
      for (const { lat, lon } of target.multi.length > 0 ? points : [])
        for (const sub of target.multi) this.#writeText(sub, geohashOf(lat, lon, 12));
      return;
    }
    if (target.kind === 'completion' && scanner.token !== NULL) {
      this.#completion(target, readValue(scanner));
      return;
    }
    if (target.kind === 'rank_features' && scanner.token !== ARRAY_START) {
      writeFeatures(target, scanner, this.#sink, (this.#features ??= new Set()));
      return;
    }
    if (target.range !== undefined && scanner.token !== NULL && scanner.token !== ARRAY_START) {
      writeRange(target, scanner, this.#sink);
      return;
    }
    switch (scanner.token) {
      case ARRAY_START:
        while (scanner.next() !== ARRAY_END) this.#field(target);
        return;
      case OBJECT_START:
        if (target.kind === 'flat_object') {
          writeFlat(target, target.path, scanner, this.#sink, this.#scratch);
          return;
        }
        throw objectFault(target, scanner, this.#source, this.#origin, this.#context.id);
      case NULL: {
        const value = nullScalar(target);
        if (value !== undefined) this.#write(target, value);
        for (const sub of target.multi) {
          const other = nullScalar(sub);
          if (other !== undefined) this.#write(sub, other);
        }
        return;
      }
      default:
    }
    const value = readScalar(this.#scanner, this.#value);
    if (this.#newTypes.size > 0) this.#checkSameType(target, value);
    this.#write(target, value);
    for (const sub of target.multi) this.#writeAny(sub, value);
    if (target.copyTo.length > 0 && !this.#isIncluding)
      for (const path of target.copyTo) this.#copy(path, value);
  }

  /** The inputs of a completion field, for its sub-fields too. */
  #completion(target: Field, json: JsonValue): void {
    const source = (): JsonValue => parseJson(this.#source.subarray(this.#origin, this.#end));
    // An input that is given twice counts once, with the weight and the contexts that were given last.
    const byText = new Map<string, CompletionInput>();
    for (const each of readInputs(json, target.path))
      for (const text of each.inputs) byText.set(text, { ...each, inputs: [text] });
    const inputs = [...byText.values()];
    this.#inputs(target, inputs, source);
    for (const sub of target.multi) {
      if (sub.completion === undefined) for (const text of byText.keys()) this.#writeText(sub, text);
      else if (sub.completion.contexts.length > 0) this.#inputs(sub, inputs, source);
      else
        this.#inputs(
          sub,
          inputs.map((each) => ({ ...each, contexts: undefined })),
          source,
        );
    }
  }

  #inputs(target: Field, inputs: readonly CompletionInput[], source: () => JsonValue): void {
    for (const each of inputs) {
      writeCompletion(target, [each], source, this.#sink);
      if (target.inputs !== undefined) for (const text of each.inputs) this.#writeText(target.inputs, text);
    }
  }

  /** A scalar as the value of a field of any kind. */
  #writeAny(target: Field, value: Scalar): void {
    if (target.completion === undefined) this.#write(target, value);
    else this.#writeText(target, scalarText(value));
  }

  /** A text as the value of a field. */
  #writeText(target: Field, text: string): void {
    if (target.completion !== undefined) {
      const inputs = [{ inputs: [text], weight: 1, contexts: undefined }];
      this.#inputs(target, inputs, () => null);
      return;
    }
    const bytes = bytesOf(text);
    this.#write(target, { token: STRING, bytes, start: 0, stop: bytes.length, ascii: false, integer: false });
  }

  /** Two values of one document must suggest the same type for a new field. */
  #checkSameType(target: Field, value: Scalar): void {
    const type = this.#newTypes.get(target.path);
    if (type === undefined || type !== DEFAULT_TYPE[this.#detectedTypeOf(type)]) return;
    const now = inferType(this.#mapping, value).def.type;
    if (now !== type)
      throw illegalArgument(`mapper [${target.path}] cannot be changed from type [${now}] to [${type}]`);
  }

  #detectedTypeOf(type: string): DetectedType {
    return type === 'text' ? 'string' : type === 'float' ? 'double' : (type as DetectedType);
  }

  #write(target: Field, value: Scalar): void {
    try {
      if (target.kind === 'text' || target.kind === 'match_only_text') this.#text.write(target, value);
      else if (target.kind === 'rank_feature')
        writeFeature(target, value, this.#sink, (this.#features ??= new Set()));
      else if (target.kind === 'flat_object')
        throw new EngineError(
          'parsing_exception',
          `[${target.path}] unexpected token [${tokenName(value)
            .replace(/(NUMBER)_.*/, '$1')
            .replace(/TRUE|FALSE/, 'BOOLEAN')}] in flat_object field value`,
        );
      else if (
        !writeScalar(this.#sink, target, target.countWords === undefined ? value : countOf(target, value))
      )
        this.#ignored.add(target.path);
    } catch (error) {
      if (!isDocumentFault(error)) throw error;
      if (target.ignoreMalformed || this.#isAccepted) this.#ignored.add(target.path);
      else if (error.message.startsWith('Document contains at least one immense term'))
        throw new WholeDocumentError(error);
      else throw valueFault(target, value, error, this.#source, this.#origin, this.#context.id);
    }
  }

  /** `copy_to`: writes the value to another field, which is created if missing. */
  #copy(path: string, value: Scalar): void {
    let node: MappingNode = this.#mapping.root;
    let dynamic: Dynamic = node.def.dynamic ?? 'true';
    const names = path.split('.');
    for (const [i, name] of names.entries()) {
      if (node.kind !== 'object') throw mapperParsing(`[copy_to] target [${path}] is not below an object`);
      dynamic = node.def.dynamic ?? dynamic;
      let child: MappingNode | undefined = node.children.get(name);
      if (child === undefined) {
        const full = names.slice(0, i + 1).join('.');
        if (dynamic === 'strict' && !this.#isAccepted) throw strictMappingFault(dynamic, name, node.path);
        if (dynamic === 'false' || dynamic === 'strict') return;
        const def =
          i < names.length - 1
            ? inferObject(this.#mapping, node, name, dynamic)
            : inferField(this.#mapping, name, full, value, dynamic, node.path);
        if (def === undefined) return;
        this.#add(node, name, def);
        child = this.#mapping.node(full)!;
      }
      node = child;
    }
    if (node.kind !== 'field') throw illegalArgument(`Cannot copy to [${path}]: it is not a field.`);
    const scope = this.#scopes.findLast((each) => each.path === '' || path.startsWith(`${each.path}.`));
    if (scope !== undefined) this.#enter(scope);
    this.#writeAny(node.field, value);
    for (const sub of node.field.multi) this.#writeAny(sub, value);
    if (scope !== undefined) this.#enter(this.#scopes.at(-1)!);
  }
}

/** The number of words of a value, as a value. */
function countOf({ countWords }: Field, value: Scalar): Scalar {
  const bytes = bytesOf(String(countWords!(scalarText(value))));
  return { token: NUMBER, bytes, start: 0, stop: bytes.length, ascii: true, integer: true };
}

function fullName({ path }: ObjectNode, names: readonly string[]): string {
  return path === '' ? names.join('.') : `${path}.${names.join('.')}`;
}

const mapper = new DocumentMapper();
