// Examples of the document: one request and its reply for each operation. They are recorded from a server by
// `node scripts/reference.ts`; test/api-examples.test.ts compares them with a new recording.

import { readFileSync } from 'node:fs';

/** A request with its reply. */
export interface Example {
  /** Path and query parameters by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  /** Absent for replies without content, and for those that are no JSON. */
  readonly reply?: unknown;
}

/** By the name of the operation. */
export type Examples = Readonly<Record<string, Example>>;

/** Where the recording is. */
export const EXAMPLES_FILE: URL = new URL('../../../assets/api-examples.json', import.meta.url);

interface Content {
  example?: unknown;
}

interface Parameter {
  readonly name: string;
  readonly schema?: { readonly type?: unknown };
  example?: unknown;
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}

/** Adds the recorded examples to the operations of a document. */
export function withExamples<D extends { readonly paths?: object | undefined }>(document: D): D {
  const examples = JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Examples;
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(item as object) as Operation[]) {
      const example = examples[operation.operationId ?? ''];
      if (example !== undefined) addExample(operation, example);
    }
  }
  return document;
}

function addExample(operation: Operation, { parameters = {}, body, status, reply }: Example): void {
  for (const parameter of operation.parameters ?? []) {
    const text = parameters[parameter.name];
    const isText = parameter.schema?.type === 'string' || parameter.schema?.type === 'array';
    if (text !== undefined) parameter.example = isText ? text : JSON.parse(text);
  }
  for (const content of Object.values(operation.requestBody?.content ?? {}))
    if (body !== undefined) content.example = body;
  const content = operation.responses[status]?.content?.['application/json'];
  if (content !== undefined && reply !== undefined) content.example = reply;
}
