// The documents of an index as one long list.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { DocumentPanel } from '../document/document-panel.tsx';
import { Icon } from '../frame/icons.tsx';
import { messageOf, Problem } from '../frame/problem.tsx';
import { hrefOf, navigate, setParams, useRoute } from '../frame/router.ts';
import { client, noteFailure } from '../frame/session.ts';
import { countText } from './cell-text.ts';
import { type ColumnOf, useColumns } from './columns.ts';
import { type Condition, queryOf, writeConditions } from './conditions.ts';
import { type Export, exportList } from './export-list.ts';
import { type Field, fieldsOf, type Mappings } from './fields.ts';
import { FilterBar } from './filter-bar.tsx';
import { Grid, type GridHandle } from './grid.tsx';
import { IndexPicker, useIndices } from './index-picker.tsx';
import { readListState, writeSort } from './list-state.ts';
import { ColumnMenu, ExportMenu, Jump } from './list-tools.tsx';
import { type ListHit, type ListQuery, type ListReply, rankOf, searchSnapshot } from './snapshot.ts';
import { isGone, useSnapshot } from './use-snapshot.ts';
import './list.css';

const NO_FIELDS: readonly Field[] = [];

/** Without an index in the address: the largest. */
export function ListPage({ index }: { readonly index: string | undefined }): ReactElement {
  const { data, error } = useIndices();
  const largest = data?.toSorted((a, b) => Number(b['docs.count']) - Number(a['docs.count']))[0]?.index;
  useEffect(() => {
    if (index === undefined && largest !== undefined) navigate(hrefOf(['list', largest]), true);
  }, [index, largest]);
  if (index !== undefined) return <IndexList key={index} index={index} />;
  if (error !== null && error !== undefined) return <Problem error={error} />;
  if (data === undefined || largest !== undefined) return <p className="loading">Loading…</p>;
  return (
    <section className="empty">
      <h1>No documents yet</h1>
      <p>
        Write the first ones with <code>PUT /my-index/_doc/1</code>, <code>octavo import</code>, or start the
        server with <code>--demo</code>.
      </p>
    </section>
  );
}

function IndexList({ index }: { readonly index: string }): ReactElement {
  const { params } = useRoute();
  const state = readListState(params);
  const mapping = useQuery({
    queryKey: ['mapping', index],
    queryFn: ({ signal }) => readFields(index, signal),
    placeholderData: keepPreviousData,
  });
  const fields = mapping.data ?? NO_FIELDS;
  const conditionKey = JSON.stringify(state.conditions);
  const query = useMemo(
    () => queryOf(state.text, state.conditions, fields),
    [state.text, conditionKey, fields],
  );
  const onTaken = useCallback((id: string) => setParams({ snapshot: id }, true), []);
  const snapshot = useSnapshot(index, query, state.snapshot, onTaken);
  const hasScores = state.text !== '' && state.sort === undefined;
  const hasIndices = index.includes('*') || index.includes(',');
  const columnKey = state.columns?.join(',');
  const shown = useMemo(() => state.columns, [columnKey]);
  const table = useColumns(fields, shown, { hasScores, hasIndices });
  const names = table.getVisibleLeafColumns().map(({ id }) => id);
  const nameKey = names.join('\n');
  const sortKey = writeSort(state.sort);
  const list = useMemo<ListQuery>(
    () => ({
      query,
      sort: state.sort && [
        {
          [state.sort.field]: {
            order: state.sort.descending ? 'desc' : 'asc',
            ...missingLast(state.sort.field),
          },
        },
      ],
      source: names.filter((name) => !name.startsWith('_')),
    }),
    [query, sortKey, nameKey],
  );
  const [failure, setFailure] = useState<unknown>();
  const { renew } = snapshot;
  const onError = useCallback(
    (error: unknown) => {
      noteFailure(error);
      if (isGone(error)) renew();
      else setFailure(error);
    },
    [renew],
  );
  const load = useCallback(
    async (from: number, size: number, signal: AbortSignal): Promise<readonly ListHit[]> => {
      const { hits } = await searchSnapshot(snapshot.id ?? '', list, { from, size }, signal);
      return hits.hits;
    },
    [snapshot.id, list],
  );
  useEffect(() => setFailure(undefined), [load]);
  const grid = useRef<GridHandle>(null);
  const [range, setRange] = useState({ first: state.at, end: state.at });
  const onRest = useCallback((first: number, end: number) => {
    setRange({ first, end });
    setParams({ at: first === 0 ? undefined : String(first + 1) }, true);
  }, []);
  const onSort = (column: ColumnOf): void => {
    const field = column.columnDef.meta?.exact;
    if (field === undefined) return;
    const isSame = state.sort?.field === field;
    const next = !isSame
      ? { field, descending: false }
      : state.sort?.descending
        ? undefined
        : { field, descending: true };
    setParams({ sort: writeSort(next), at: undefined });
    grid.current?.goTo(0);
  };
  const onConditions = (conditions: readonly Condition[]): void => {
    const changed = writeConditions(params, conditions);
    changed.delete('at');
    navigate(hrefOf(['list', index], changed));
  };
  const snapshotId = snapshot.id;
  const readSnapshot = async (signal: AbortSignal): Promise<unknown> => {
    const query = { ids: { values: [state.doc] } };
    const whole = { query, sort: undefined, source: undefined };
    const { hits } = await searchSnapshot(snapshotId ?? '', whole, { from: 0, size: 10 }, signal);
    return hits.hits.find(({ _index }) => _index === (state.docIndex ?? _index))?._source;
  };
  const onClose = (): void => {
    setParams({ doc: undefined, in: undefined });
    document.querySelector<HTMLElement>('.grid')?.focus({ preventScroll: true });
  };
  const exporting = useExport(index, list, snapshot.id, names);
  const error = snapshot.error ?? mapping.error ?? failure;
  const total = snapshot.total;
  return (
    <section className="list-page" aria-label={`Documents of ${index}`}>
      <h1 className="hidden">Documents of {index}</h1>
      <div className="bar">
        <IndexPicker index={index} />
        <SearchBox
          key={state.text}
          text={state.text}
          onText={(text) => setParams({ q: text, at: undefined })}
        />
        <FilterBar index={index} fields={fields} conditions={state.conditions} onChange={onConditions} />
        <span className="bar-space" />
        <Jump
          rows={total ?? 0}
          field={state.sort?.field}
          onRank={(rank) => grid.current?.goTo(rank)}
          rankOf={(value) =>
            rankOf(snapshot.id ?? '', query, state.sort ?? { field: '_id', descending: false }, value)
          }
        />
        <ColumnMenu table={table} onChange={(names) => setParams({ columns: names?.join(',') })} />
        <ExportMenu rows={total ?? 0} onExport={exporting.start} />
      </div>
      <div className="status" role="status">
        <strong className="num">{total === undefined ? '…' : countText(total)}</strong>
        <span>{total === 1 ? 'document' : 'documents'}</span>
        {total !== undefined && total > 0 && (
          <span className="muted num">
            {countText(range.first + 1)}–{countText(Math.min(total, Math.max(range.end, range.first + 1)))}
          </span>
        )}
        {snapshot.takenAt !== undefined && (
          <span className="muted">as of {snapshot.takenAt.toLocaleTimeString('en-GB')}</span>
        )}
        {snapshot.wasGone && (
          <span className="warn">The snapshot of the link has expired; this is a new one.</span>
        )}
        {exporting.text !== undefined && (
          <span className="muted">
            {exporting.text}
            {exporting.cancel !== undefined && (
              <button type="button" className="link" onClick={exporting.cancel}>
                Cancel
              </button>
            )}
          </span>
        )}
        {snapshot.arrived !== 0 && (
          <button type="button" className="arrived" onClick={snapshot.renew}>
            <Icon name="refresh" />
            {snapshot.arrived > 0
              ? `${countText(snapshot.arrived)} new`
              : `${countText(-snapshot.arrived)} fewer`}
          </button>
        )}
      </div>
      {error !== undefined && error !== null ? (
        <Problem error={error} retry={renew} />
      ) : total === 0 ? (
        <p className="empty">No document matches.</p>
      ) : snapshot.id === undefined || total === undefined || mapping.data === undefined ? (
        <p className="loading">Loading…</p>
      ) : (
        <div className={state.doc === undefined ? 'without-panel' : 'with-panel'}>
          <Grid
            ref={grid}
            label={`Documents of ${index}`}
            rows={total}
            table={table}
            load={load}
            sort={state.sort}
            initialRow={state.at}
            openId={state.doc}
            onSort={onSort}
            onOpen={(hit) => setParams({ doc: hit._id, in: hasIndices ? hit._index : undefined })}
            onRest={onRest}
            onError={onError}
          />
          {state.doc !== undefined && (
            <DocumentPanel
              key={`${state.docIndex} ${state.doc}`}
              index={state.docIndex ?? index}
              id={state.doc}
              readSnapshot={readSnapshot}
              onClose={onClose}
            />
          )}
        </div>
      )}
    </section>
  );
}

/** The fields of an index; those of its first document come first, in its order, but for a copy of the id. */
async function readFields(index: string, signal: AbortSignal): Promise<Field[]> {
  const path = `/${encodeURIComponent(index)}`;
  const [mappings, first] = await Promise.all([
    client().call<Mappings>({ method: 'GET', path: `${path}/_mapping`, signal, safe: true }),
    client().call<ListReply>({
      method: 'GET',
      path: `${path}/_search`,
      query: { size: 1 },
      signal,
      safe: true,
    }),
  ]);
  const [sample] = first.hits.hits;
  const members = Object.entries((sample?._source as object | undefined) ?? {})
    .filter(([, value]) => value !== sample?._id)
    .map(([name]) => name);
  const placeOf = ({ name }: Field): number => {
    const at = members.indexOf(name.split('.', 1)[0] ?? name);
    return at < 0 ? members.length : at;
  };
  return fieldsOf(mappings).sort((a, b) => placeOf(a) - placeOf(b));
}

/** Documents without the field come last in both directions; every document has an id. */
function missingLast(field: string): object {
  return field.startsWith('_') ? {} : { missing: '_last' };
}

interface SearchBoxProps {
  readonly text: string;
  readonly onText: (text: string) => void;
}

function SearchBox({ text, onText }: SearchBoxProps): ReactElement {
  const [draft, setDraft] = useState(text);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (draft.trim() !== text) onText(draft.trim());
  };
  return (
    <search>
      <form className="search" onSubmit={submit}>
        <Icon name="search" />
        <input
          type="search"
          aria-label="Search in all fields"
          placeholder="Search in all fields"
          value={draft}
          onChange={(event) => {
            setDraft(event.target.value);
            // The cross of the field empties it without a submit.
            if (event.target.value === '' && text !== '') onText('');
          }}
        />
      </form>
    </search>
  );
}

interface Exporting {
  readonly text: string | undefined;
  readonly start: (format: Export['format']) => void;
  readonly cancel: (() => void) | undefined;
}

function useExport(
  name: string,
  list: ListQuery,
  snapshot: string | undefined,
  columns: readonly string[],
): Exporting {
  const [text, setText] = useState<string>();
  const running = useRef<AbortController>(undefined);
  const start = (format: Export['format']): void => {
    if (snapshot === undefined) return;
    running.current?.abort();
    const request = new AbortController();
    running.current = request;
    const onProgress = (done: number, total: number): void =>
      setText(`Exported ${countText(done)} of ${countText(total)}`);
    exportList({ name, format, snapshot, list, columns, signal: request.signal, onProgress })
      .catch((error: unknown) => {
        const isChoice = error instanceof DOMException && error.name === 'AbortError';
        setText(isChoice ? undefined : `The export failed: ${messageOf(error)}`);
      })
      .finally(() => {
        if (running.current === request) running.current = undefined;
      });
  };
  useEffect(() => () => running.current?.abort(), []);
  const cancel = (): void => {
    running.current?.abort();
    setText(undefined);
  };
  return { text, start, cancel: running.current === undefined ? undefined : cancel };
}
