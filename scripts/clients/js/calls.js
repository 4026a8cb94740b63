// What the programs of the JavaScript clients share: the documents, and `call`, which prints whether a call works.

export const url = process.argv[2];

/** Runs a call and prints its result; `check` says whether the answer is right. */
export async function call(name, run, check = () => true) {
  try {
    const answer = await run();
    const right = check(answer);
    const error = right ? undefined : `wrong answer: ${JSON.stringify(answer)?.slice(0, 120)}`;
    console.log(JSON.stringify({ call: name, ok: error === undefined, error }));
    return right ? answer : undefined;
  } catch (error) {
    console.log(JSON.stringify({ call: name, ok: false, error: error.message ?? String(error) }));
    return undefined;
  }
}

export const mappings = {
  properties: {
    title: { type: 'text', fields: { raw: { type: 'keyword' } } },
    brand: { type: 'keyword' },
    price: { type: 'double' },
    added: { type: 'date' },
    place: { type: 'geo_point' },
    names: { type: 'completion' },
    reviews: { type: 'nested', properties: { stars: { type: 'integer' }, text: { type: 'text' } } },
  },
};

export const products = [
  { title: 'Red running shoes', brand: 'Ardo', price: 80, added: '2026-01-03', place: '48.1,11.5' },
  { title: 'Blue running jacket', brand: 'Ardo', price: 120, added: '2026-01-20', place: '48.2,11.6' },
  { title: 'Red rain jacket', brand: 'Belm', price: 95.5, added: '2026-02-01', place: '52.5,13.4' },
  { title: 'Trail shoes for women', brand: 'Belm', price: 110, added: '2026-02-14', place: '52.4,13.3' },
  { title: 'Wool socks', brand: 'Corin', price: 12, added: '2026-03-01', place: '53.5,10.0' },
  { title: 'Running socks, three pairs', brand: 'Corin', price: 15, added: '2026-03-02', place: '53.6,10.1' },
].map((product, n) => ({
  ...product,
  names: { input: [product.title], weight: n + 1 },
  reviews: [{ stars: (n % 5) + 1, text: n % 2 === 0 ? 'fits well' : 'too small' }],
}));
