// Values of tests and replies with their spelling: in YAML and JSON, `1.0` stays a float and integers beyond
// 2^53 stay exact.

import { type Document, isAlias, isMap, isScalar, isSeq, type Node, parseAllDocuments } from 'yaml';

/** A whole number written with a point or an exponent; keeps its spelling. */
export class NumberText {
  readonly value: number;
  readonly text: string;
  constructor(value: number, text: string) {
    this.value = value;
    this.text = text;
  }
}

/** A value as written. Maps keep their order; longs that a double cannot hold are bigints. */
export type Value = null | boolean | number | bigint | string | NumberText | Value[] | ValueMap;
export type ValueMap = Map<string, Value>;

export function isNumber(value: Value | undefined): value is number | bigint | NumberText {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof NumberText;
}

const exact = (n: bigint): number | bigint => (Number.isSafeInteger(Number(n)) ? Number(n) : n);

function numberOf(text: string): Value {
  if (/^[-+]?\d+$/.test(text)) return exact(BigInt(text.replace('+', '')));
  const value = Number(text);
  if (!Number.isInteger(value)) return value;
  const clean = text
    .replace(/^\+/, '')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.$/, '.0');
  return new NumberText(value, clean);
}

/** The documents of a YAML text. Accepts flow collections with too little indentation. */
export function readYaml(text: string): Value[] {
  const options = { intAsBigInt: true, uniqueKeys: false, strict: false, logLevel: 'error' } as const;
  const lines = text.split('\n');
  let documents = parseAllDocuments(text, options) as Document[];
  for (let tries = 0; tries < 100; tries++) {
    const errors = documents.flatMap((document) => document.errors);
    const indent = errors.find((error) => error.code === 'BAD_INDENT' && error.linePos);
    if (!errors.some((error) => error.code !== 'BAD_INDENT') || indent?.linePos === undefined) break;
    const at = indent.linePos[0].line - 1;
    lines[at] = ' '.repeat(60) + lines[at];
    documents = parseAllDocuments(lines.join('\n'), options) as Document[];
  }
  return documents.map((document) => {
    const error = document.errors.find((each) => each.code !== 'BAD_INDENT');
    if (error !== undefined) throw error;
    return fromNode(document.contents, document);
  });
}

function fromNode(node: Node | null | undefined, document: Document): Value {
  if (node === null || node === undefined) return null;
  if (isAlias(node)) return fromNode(node.resolve(document), document);
  if (isMap<Node, Node>(node)) {
    const map: ValueMap = new Map();
    for (const { key, value } of node.items) map.set(keyText(key), fromNode(value, document));
    return map;
  }
  if (isSeq<Node>(node)) return node.items.map((item) => fromNode(item, document));
  if (!isScalar(node)) return null;
  const { value, source } = node;
  if (typeof value === 'bigint') return exact(value);
  if (typeof value === 'number' && source !== undefined && /^[-+]?[\d.]+(e[-+]?\d+)?$/i.test(source))
    return numberOf(source);
  return (value ?? null) as Value;
}

function keyText(key: Node): string {
  if (!isScalar(key)) return String(key);
  return typeof key.value === 'string' ? key.value : String(key.source ?? key.value);
}

/** Parses JSON and keeps the spelling of numbers. */
export function readJson(text: string): Value {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }): unknown => {
    if (typeof value === 'number') return numberOf(context?.source ?? String(value));
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isOurs(value)) {
      return new Map(Object.entries(value));
    }
    return value;
  }) as Value;
}

function isOurs(value: object): boolean {
  return value instanceof Map || value instanceof NumberText;
}

export function writeJson(value: Value): string {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  if (value instanceof Map) {
    return `{${[...value].map(([key, item]) => `${JSON.stringify(key)}:${writeJson(item)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

/** A value as part of a text: strings unquoted, other values as JSON. */
export function textOf(value: Value): string {
  return typeof value === 'string' ? value : writeJson(value);
}

/** Negative, zero or positive; exact between 64-bit integers and doubles. */
export function compareNumbers(a: number | bigint | NumberText, b: number | bigint | NumberText): number {
  const x = a instanceof NumberText ? a.value : a;
  const y = b instanceof NumberText ? b.value : b;
  return x < y ? -1 : x > y ? 1 : 0;
}

/** 1 equals 1.0, and a 64-bit integer equals its nearest double. The order of keys does not matter. */
export function equal(a: Value, b: Value): boolean {
  if (isNumber(a) && isNumber(b)) {
    if (typeof a === 'bigint' && typeof b === 'bigint') return a === b;
    return asDouble(a) === asDouble(b);
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, at) => equal(item, b[at] as Value));
  }
  if (a instanceof Map && b instanceof Map) {
    if (a.size !== b.size) return false;
    for (const [key, item] of a) if (!b.has(key) || !equal(item, b.get(key) as Value)) return false;
    return true;
  }
  return a === b;
}

export function asDouble(value: number | bigint | NumberText): number {
  return value instanceof NumberText ? value.value : Number(value);
}

/** Java's text form, `{type=x, reason=y}`, which the patterns of expected errors match. */
export function javaText(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(javaText).join(', ')}]`;
  if (value instanceof Map)
    return `{${[...value].map(([key, item]) => `${key}=${javaText(item)}`).join(', ')}}`;
  return textOf(value);
}
