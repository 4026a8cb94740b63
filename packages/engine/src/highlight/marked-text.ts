// Tags around the found parts of a text, and the encoding of the text between them.

/** The tags of a field, and how its text is encoded. */
export interface Markup {
  readonly preTag: string;
  readonly postTag: string;
  readonly encoder: 'default' | 'html';
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
  '/': '&#x2F;',
};

/** A text, encoded (Lucene: SimpleHTMLEncoder). */
export function encodeText(text: string, { encoder }: Markup): string {
  return encoder === 'html' ? text.replace(/[&<>"'/]/g, (each) => ESCAPES[each]!) : text;
}

/** A text between tags. */
export function markText(text: string, markup: Markup): string {
  return markup.preTag + encodeText(text, markup) + markup.postTag;
}
