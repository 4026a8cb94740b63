// The fields of an index, from the server.

import { useQuery } from '@tanstack/react-query';
import { useClient } from '../frame/session.ts';
import { type Field, fieldsOf, type Mappings } from '../list/fields.ts';

export function useFields(index: string): { readonly data: Field[] | undefined; readonly error: unknown } {
  const client = useClient();
  return useQuery({
    queryKey: ['fields', index],
    enabled: index !== '',
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const path = `/${encodeURIComponent(index)}/_mapping`;
      return fieldsOf(await client.call<Mappings>({ method: 'GET', path, signal, safe: true }));
    },
  });
}
