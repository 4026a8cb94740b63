// SQLite as a peer for lists and full text, by node:sqlite: one table, an index per order, FTS5 over the
// body.

import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { conditions, type Table, type TableRow } from './table.ts';

export function openSqlite(folder: string): Table {
  const db = new DatabaseSync(join(folder, 'table.sqlite'));
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -262144');
  db.exec(
    'CREATE TABLE docs (id TEXT UNIQUE, section TEXT, score REAL, gmt_modified INTEGER, size INTEGER, source TEXT)',
  );
  // FTS5 without a copy of the text: queries need only row ids and ranks.
  db.exec("CREATE VIRTUAL TABLE words USING fts5(body, content='', tokenize='unicode61')");
  const statements = new Map<string, StatementSync>();
  const all = (sql: string, values: readonly unknown[]): unknown[] => {
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, statement);
    return statement.all(...(values as SQLInputValue[]));
  };
  return {
    async fill(rows) {
      const document = db.prepare('INSERT INTO docs VALUES (?, ?, ?, ?, ?, ?)');
      const words = db.prepare('INSERT INTO words (rowid, body) VALUES (?, ?)');
      db.exec('BEGIN');
      for (const { id, section, score, gmt_modified: modified, size, body, source } of rows) {
        const { lastInsertRowid } = document.run(id, section, score, modified, size, source);
        words.run(lastInsertRowid, body);
      }
      db.exec('COMMIT');
      db.exec('CREATE INDEX by_date ON docs (gmt_modified DESC, score DESC, id ASC)');
      db.exec('CREATE INDEX by_section ON docs (section, gmt_modified DESC, score DESC, id ASC)');
      db.exec('ANALYZE');
    },
    async page(ask) {
      if (ask.text !== undefined) {
        const join = 'SELECT docs.* FROM words JOIN docs ON docs.rowid = words.rowid';
        return all(`${join} WHERE words MATCH ? ORDER BY rank LIMIT ?`, [ask.text, ask.size]) as TableRow[];
      }
      const { where, order, values } = conditions(ask);
      const sql = `SELECT * FROM docs ${where} ${order} LIMIT ? OFFSET ?`;
      return all(sql, [...values, ask.size, ask.from]) as TableRow[];
    },
    async count(ask) {
      const { where, values } = conditions({ ...ask, after: undefined });
      const [row] = (
        ask.text === undefined
          ? all(`SELECT count(*) AS n FROM docs ${where}`, values)
          : all('SELECT count(*) AS n FROM words WHERE words MATCH ?', [ask.text])
      ) as { n: number }[];
      return row?.n ?? 0;
    },
    async close() {
      db.close();
    },
  };
}
