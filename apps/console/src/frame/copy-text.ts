// Copies a text to the clipboard.

/**
 * The clipboard API exists only on pages from `https:` or from this machine. On others a selected text is copied, as browsers did
 * before. Throws an Error if the browser refuses.
 */
export async function copyText(text: string): Promise<void> {
  // Undefined on such a page, whatever its type says.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard !== undefined) return await clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new Error('The browser refused to copy the text.');
}
