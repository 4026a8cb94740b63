// The conditions of a list: each as a chip, and a form for one more.

import { useQuery } from '@tanstack/react-query';
import { Popover } from 'radix-ui';
import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { Icon } from '../frame/icons.tsx';
import { client } from '../frame/session.ts';
import { type Condition, conditionText, needsValue, OP_LABELS, type Op, opsOf } from './conditions.ts';
import type { Field } from './fields.ts';

interface FilterBarProps {
  readonly index: string;
  readonly fields: readonly Field[];
  readonly conditions: readonly Condition[];
  readonly onChange: (conditions: readonly Condition[]) => void;
}

export function FilterBar({ index, fields, conditions, onChange }: FilterBarProps): ReactElement {
  const [open, setOpen] = useState(false);
  return (
    <>
      {conditions.map((condition, at) => (
        <span className="chip" key={conditionText(condition)}>
          {conditionText(condition)}
          <button
            type="button"
            aria-label={`Remove: ${conditionText(condition)}`}
            onClick={() => onChange(conditions.filter((_, other) => other !== at))}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      <Popover.Root open={open} onOpenChange={setOpen}>
        <Popover.Trigger className="button quiet" aria-label="Add a filter">
          <Icon name="filter" />
          <span>Filter</span>
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content className="popover" align="start" sideOffset={6} aria-label="A new filter">
            <ConditionForm
              index={index}
              fields={fields}
              onAdd={(condition) => {
                setOpen(false);
                onChange([...conditions, condition]);
              }}
            />
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </>
  );
}

interface ConditionFormProps {
  readonly index: string;
  readonly fields: readonly Field[];
  readonly onAdd: (condition: Condition) => void;
}

function ConditionForm({ index, fields, onAdd }: ConditionFormProps): ReactElement {
  const [name, setName] = useState(fields[0]?.name ?? '');
  const [chosen, setOp] = useState<Op>();
  const [value, setValue] = useState('');
  const values = useId();
  const field = fields.find((each) => each.name === name);
  const ops = field === undefined ? [] : opsOf(field);
  const op = chosen !== undefined && ops.includes(chosen) ? chosen : ops[0];
  const suggested = useFrequentValues(index, field);
  const isReady = op !== undefined && (!needsValue(op) || value.trim() !== '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) onAdd({ field: name, op, value: needsValue(op) ? value.trim() : '' });
  };
  return (
    <form onSubmit={submit} className="stack">
      <label className="field">
        <span>Field</span>
        <select value={name} onChange={(event) => setName(event.target.value)}>
          {fields.map((each) => (
            <option key={each.name} value={each.name}>
              {each.name}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span>Condition</span>
        <select value={op} onChange={(event) => setOp(ops.find((each) => each === event.target.value))}>
          {ops.map((each) => (
            <option key={each} value={each}>
              {OP_LABELS[each]}
            </option>
          ))}
        </select>
      </label>
      {op !== undefined && needsValue(op) && (
        <label className="field">
          <span>Value</span>
          <input
            value={value}
            list={values}
            placeholder={field?.kind === 'date' ? '2026-01-31 or now-7d' : ''}
            onChange={(event) => setValue(event.target.value)}
          />
          <datalist id={values}>
            {suggested.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </label>
      )}
      <div className="row end">
        <button type="submit" className="button primary" disabled={!isReady}>
          Add the filter
        </button>
      </div>
    </form>
  );
}

interface TermsReply {
  readonly aggregations: { readonly values: { readonly buckets: readonly { readonly key: unknown }[] } };
}

/** The most frequent values of a keyword or boolean field, to choose from. */
function useFrequentValues(index: string, field: Field | undefined): readonly string[] {
  const exact = field?.kind === 'keyword' || field?.kind === 'boolean' ? field.exact : undefined;
  const { data } = useQuery({
    queryKey: ['frequent-values', index, exact],
    enabled: exact !== undefined,
    queryFn: async ({ signal }) => {
      const body = { size: 0, aggs: { values: { terms: { field: exact, size: 30 } } } };
      const path = `/${encodeURIComponent(index)}/_search`;
      const { aggregations } = await client().call<TermsReply>({
        method: 'POST',
        path,
        body,
        signal,
        safe: true,
      });
      return aggregations.values.buckets.map(({ key }) => String(key));
    },
  });
  return data ?? [];
}
