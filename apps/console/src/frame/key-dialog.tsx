// Asks for the key of the reader, when the server wants one or the reader opens it.

import { Dialog } from 'radix-ui';
import { type FormEvent, type ReactElement, useState } from 'react';
import { dismissDemand, enterKey, useSession } from './session.ts';

export function KeyDialog(): ReactElement {
  const { key, demand } = useSession();
  const [text, setText] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const entered = text.trim().replace(/^(?:Bearer|ApiKey)\s+/i, '');
    if (entered === '') return;
    setText('');
    enterKey(entered);
  };
  return (
    <Dialog.Root open={demand !== undefined} onOpenChange={(open) => !open && dismissDemand()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="dialog">
          <Dialog.Title>API key</Dialog.Title>
          <Dialog.Description>{demand}</Dialog.Description>
          <form onSubmit={submit} className="stack">
            <label className="field">
              <span>Key</span>
              <input
                type="password"
                autoComplete="off"
                spellCheck={false}
                placeholder="octavo_…"
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
            </label>
            <p className="hint">
              It stays in this tab and is forgotten when the tab closes. A first key is made by{' '}
              <code>octavo keys create</code>.
            </p>
            <div className="row end">
              {key !== undefined && (
                <button type="button" className="button quiet" onClick={() => enterKey(undefined)}>
                  Forget the key
                </button>
              )}
              <button type="submit" className="button primary" disabled={text.trim() === ''}>
                Use this key
              </button>
            </div>
          </form>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
