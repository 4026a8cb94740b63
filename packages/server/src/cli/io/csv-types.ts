// Column types of a CSV file: a column is numeric if every sample value is spelled as a JSON number. `00501`
// stays text, so that post codes keep their zeros.

/** How a column's values are written into documents. */
type ColumnKind = 'text' | 'number' | 'boolean';

const NUMBER = /^-?(0|[1-9]\d{0,17})(\.\d+)?([eE][-+]?\d{1,3})?$/;

/** Infers types from sample rows. A column that is always empty is text. */
export function columnKinds(columns: number, rows: readonly (readonly string[])[]): ColumnKind[] {
  const kinds: ColumnKind[] = [];
  for (let c = 0; c < columns; c++) {
    const values = rows.map((row) => row[c] ?? '').filter((value) => value !== '');
    if (values.length === 0) kinds.push('text');
    else if (values.every((value) => NUMBER.test(value))) kinds.push('number');
    else if (values.every((value) => value === 'true' || value === 'false')) kinds.push('boolean');
    else kinds.push('text');
  }
  return kinds;
}

/** A row as a JSON object; numbers keep their spelling, so longs stay exact. Empty fields are left out. */
export function rowToJson(
  columns: readonly string[],
  kinds: readonly ColumnKind[],
  fields: readonly string[],
): string {
  const members: string[] = [];
  for (let c = 0; c < columns.length; c++) {
    const value = fields[c] ?? '';
    if (value === '') continue;
    const kind = kinds[c];
    const bare =
      (kind === 'number' && NUMBER.test(value)) || (kind === 'boolean' && /^(true|false)$/.test(value));
    members.push(`${JSON.stringify(columns[c])}:${bare ? value : JSON.stringify(value)}`);
  }
  return `{${members.join(',')}}`;
}
