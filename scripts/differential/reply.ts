// Replies as trees that keep the text of numbers: 1 and 1.0 are different replies, and longs have all digits.

/** A number as it was printed. */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return Number(this.text);
  }
}

export type Json = string | boolean | null | NumberText | readonly Json[] | { readonly [name: string]: Json };

/** The tree of a reply; a reply that is no JSON is its text. */
export function parseReply(text: string): Json {
  try {
    return JSON.parse(text, keepNumber) as Json;
  } catch {
    return text;
  }
}

function keepNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? new NumberText(context?.source ?? String(value)) : value;
}

export function isTree(json: Json | undefined): json is { readonly [name: string]: Json } {
  return typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof NumberText);
}

/** The type of a value, as a difference of shapes names it. */
export function typeOf(json: Json): string {
  if (json === null) return 'null';
  if (Array.isArray(json)) return 'list';
  if (json instanceof NumberText) return 'number';
  return typeof json;
}
