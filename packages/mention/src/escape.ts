// Escapes the four characters that could be read as markup: `&`, `<`, `>` and `"`.

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const CHARACTERS: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
};

/** Text as markup without elements, valid between elements and inside the quotes of an attribute. O(n). */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}

/** The reverse: `&amp; &lt; &gt; &quot;` become characters; any other `&` stays. O(n). */
export function unescapeMarkup(markup: string): string {
  return markup.replace(/&(?:amp|lt|gt|quot);/g, (name) => CHARACTERS[name] ?? name);
}
