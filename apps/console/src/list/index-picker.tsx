// Chooses the index, alias or pattern of a list.

import { useQuery } from '@tanstack/react-query';
import { Popover } from 'radix-ui';
import { type ReactElement, useState } from 'react';
import { Icon } from '../frame/icons.tsx';
import { hrefOf, navigate } from '../frame/router.ts';
import { client } from '../frame/session.ts';
import { countText } from './cell-text.ts';

/** A row of `_cat/indices`. */
export interface IndexRow {
  readonly index: string;
  readonly status: string;
  readonly 'docs.count': string;
  readonly 'docs.deleted': string;
  readonly 'store.size': string;
}

/** The indices that the key may see, by name. */
async function readIndices(signal?: AbortSignal): Promise<readonly IndexRow[]> {
  const query = { format: 'json', bytes: 'b', s: 'index' };
  return await client().call<IndexRow[]>({ method: 'GET', path: '/_cat/indices', query, signal, safe: true });
}

export function useIndices(): { readonly data: readonly IndexRow[] | undefined; readonly error: unknown } {
  return useQuery({ queryKey: ['indices'], queryFn: ({ signal }) => readIndices(signal) });
}

export function IndexPicker({ index }: { readonly index: string }): ReactElement {
  const { data: indices = [] } = useIndices();
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const found = indices.filter((each) => each.index.toLowerCase().includes(text.toLowerCase()));
  const choose = (name: string): void => {
    setOpen(false);
    setText('');
    navigate(hrefOf(['list', name]));
  };
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className="button picker" aria-label={`Index: ${index}. Choose another`}>
        <span className="picker-name">{index}</span>
        <Icon name="down" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="popover picker-list"
          align="start"
          sideOffset={6}
          aria-label="Choose an index"
        >
          <form
            onSubmit={(event) => {
              event.preventDefault();
              const name = found[0]?.index ?? text.trim();
              if (name !== '') choose(text.includes('*') ? text.trim() : name);
            }}
          >
            <input
              aria-label="Find an index, or enter a name or pattern"
              placeholder="Find, or enter a pattern such as logs-*"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </form>
          <ul aria-label="Indices">
            {found.slice(0, 200).map((each) => (
              <li key={each.index}>
                <button type="button" onClick={() => choose(each.index)} data-chosen={each.index === index}>
                  <span>{each.index}</span>
                  <span className="muted num">{countText(Number(each['docs.count']))}</span>
                </button>
              </li>
            ))}
            {found.length === 0 && (
              <li className="muted pad">No index of this name. Enter uses it as it is.</li>
            )}
          </ul>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
