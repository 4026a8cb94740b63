// The requests whose replies are the examples of the OpenAPI document. Each is sent in this order to a new server.

import type { Answer } from '../ask.ts';

/** Sends one request: the name of the operation, `METHOD /path`, and the body. */
export type Send = (operation: string, line: string, body?: unknown) => Promise<Answer>;

/** Sends all requests. Later ones use ids and tokens of earlier replies. */
export async function sendAll(send: Send): Promise<void> {
  await sendFeed(send);
  await sendChats(send);
  await sendLedger(send);
  await sendSearch(send);
  await sendServer(send);
  await sendKeys(send);
}

async function sendFeed(send: Send): Promise<void> {
  await send('putUser', 'PUT /api/users/u-1', { username: 'ada', display: 'Ada' });
  await send('getUser', 'GET /api/users/u-1');
  await send('listUsers', 'GET /api/users');
  const text = 'Ada was here';
  const entities = [{ kind: 'user', username: 'ada', id: 'u-1', start: 0, end: 3 }];
  const item = await send('postItem', 'POST /api/newsfeed?feed=team', { author: 'bob', text, entities });
  const second = await send('postItem', 'POST /api/newsfeed?feed=team', { author: 'ada', text: 'Hello' });
  await send('listFeed', 'GET /api/newsfeed?feed=team&limit=1');
  await send('getItem', `GET /api/newsfeed/${item.body.id}?feed=team`);
  await send('editItem', `PATCH /api/newsfeed/${second.body.id}?feed=team`, { text: 'Hello, everybody' });
  await send('deleteItem', `DELETE /api/newsfeed/${second.body.id}?feed=team`);
  await send('deleteUser', 'DELETE /api/users/u-1');
}

async function sendChats(send: Send): Promise<void> {
  await send('createChat', 'POST /api/chats', { id: 'lunch', title: 'Lunch', members: ['ada', 'bob'] });
  await send('getChat', 'GET /api/chats/lunch');
  const path = '/api/chats/lunch/messages';
  const message = await send('postMessage', `POST ${path}`, { author: 'ada', text: 'At noon?' });
  const second = await send('postMessage', `POST ${path}`, { author: 'ada', text: 'Or later' });
  await send('listChats', 'GET /api/chats?member=bob');
  await send('listMessages', `GET ${path}?limit=1`);
  await send('getMessage', `GET ${path}/${message.body.id}`);
  await send('editMessage', `PATCH ${path}/${second.body.id}`, { text: 'Or at one' });
  await send('deleteMessage', `DELETE ${path}/${second.body.id}`);
  const members = '/api/chats/lunch/members';
  await send('joinChat', `PUT ${members}/cyn`);
  await send('listMembers', `GET ${members}`);
  await send('markRead', `PUT ${members}/bob/read`, { message_id: message.body.id });
  await send('getMember', `GET ${members}/bob`);
  await send('leaveChat', `DELETE ${members}/cyn`);
  await send('editChat', 'PATCH /api/chats/lunch', { title: 'Lunch on Friday' });
  await send('deleteChat', 'DELETE /api/chats/lunch');
}

async function sendLedger(send: Send): Promise<void> {
  await send('createAccount', 'POST /api/accounts', { id: 'bank', currency: 'EUR', allow_negative: true });
  await send('createAccount', 'POST /api/accounts', { id: 'ada', currency: 'EUR' });
  const paid = await send('createTransaction', 'POST /api/transaction', {
    from: 'bank',
    to: 'ada',
    money: '25.00',
    reference: 'salary',
  });
  const batch = await send('createTransactions', 'POST /api/transactions/batch', {
    transfers: [
      { from: 'bank', to: 'ada', money: '1.00' },
      { from: 'ada', to: 'bank', money: '0.50' },
    ],
  });
  await send('listTransactions', 'GET /api/transactions?account=ada&limit=1');
  await send('getTransaction', `GET /api/transactions/${paid.body.id}`);
  const hold = await send('createHold', 'POST /api/holds', {
    from: 'ada',
    to: 'bank',
    money: '10.00',
    expires_at: '2030-01-01T00:00:00Z',
  });
  await send('getAccount', 'GET /api/accounts/ada');
  await send('listAccounts', 'GET /api/accounts?currency=EUR');
  await send('listHolds', 'GET /api/holds?account=ada&status=pending');
  await send('getHold', `GET /api/holds/${hold.body.id}`);
  await send('postHold', `POST /api/holds/${hold.body.id}/post`, { money: '8.00' });
  const other = await send('createHold', 'POST /api/holds', { from: 'ada', to: 'bank', money: '1.00' });
  await send('voidHold', `POST /api/holds/${other.body.id}/void`);
  const [first] = batch.body.items;
  await send('reverseTransaction', `POST /api/transactions/${first.id}/reversal`, { reference: 'mistake' });
  await send('changeAccount', 'PATCH /api/accounts/bank', { allow_negative: true });
  await send('verifyLedger', 'GET /api/ledger/verification');
}

async function sendSearch(send: Send): Promise<void> {
  const mappings = { properties: { title: { type: 'text' }, price: { type: 'integer' } } };
  await send('createIndex', 'PUT /books', { mappings });
  await send('putDocument', 'PUT /books/_doc/1', { title: 'The first book', price: 12 });
  await send('getDocument', 'GET /books/_doc/1');
  await send('updateDocument', 'POST /books/_update/1', { doc: { price: 10 } });
  const lines = [
    { index: { _index: 'books', _id: '2' } },
    { title: 'The second book', price: 20 },
    { index: { _index: 'books', _id: '3' } },
    { title: 'A third one', price: 5 },
  ];
  await send('bulk', 'POST /_bulk', linesOf(lines));
  await send('search', 'POST /books/_search', {
    query: { match: { title: 'book' } },
    sort: [{ price: 'desc' }],
    size: 1,
    tokens: true,
  });
  await send('searchByText', 'GET /books/_search?q=title:third&size=1');
  const searches = [{ index: 'books' }, { query: { match: { title: 'second' } }, size: 1 }];
  await send('multiSearch', 'POST /_msearch', linesOf(searches));
  await send('count', 'POST /books/_count', { query: { range: { price: { gte: 10 } } } });
  const opened = await send('search', 'POST /books/_search?scroll=1m', { size: 2, sort: ['_doc'] });
  const { _scroll_id: scroll_id } = opened.body;
  await send('scroll', 'POST /_search/scroll', { scroll: '1m', scroll_id });
  await send('closeScroll', 'DELETE /_search/scroll', { scroll_id: [scroll_id] });
  await send('addDocument', 'POST /books/_doc', { title: 'A fourth one', price: 7 });
  await send('deleteDocument', 'DELETE /books/_doc/3');
}

async function sendServer(send: Send): Promise<void> {
  await send('getHealth', 'GET /api/health');
  await send('getReadiness', 'GET /api/health/ready');
  await send('listLimits', 'GET /api/limits');
  await send('listProblems', 'GET /api/problems');
  await send('getProblem', 'GET /api/problems/not-found');
  await send('followEvents', 'GET /api/events?format=json&after=0&types=item.*&limit=1');
  await send('deleteIndex', 'DELETE /books');
}

async function sendKeys(send: Send): Promise<void> {
  const key = await send('createKey', 'POST /api/keys', {
    name: 'shop',
    scopes: ['search:read'],
    index_patterns: ['books*'],
    rate: { quota: 1000, window_seconds: 60 },
  });
  const path = `/api/keys/${key.body.key.id}`;
  await send('getKey', `GET ${path}`);
  await send('listKeys', 'GET /api/keys');
  await send('updateKey', `PATCH ${path}`, { name: 'The shop', rate: null });
  await send('rotateKey', `POST ${path}/rotate`, { grace_seconds: 60 });
  await send('revokeKey', `DELETE ${path}`);
  const url = 'http://127.0.0.1:9/octavo';
  const hook = await send('createWebhook', 'POST /api/webhooks', { url, types: ['item.*'] });
  await send('listWebhooks', 'GET /api/webhooks');
  await send('getWebhook', `GET /api/webhooks/${hook.body.id}`);
  await send('updateWebhook', `PATCH /api/webhooks/${hook.body.id}`, { types: ['item.created'] });
  await send('deleteWebhook', `DELETE /api/webhooks/${hook.body.id}`);
}

function linesOf(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
