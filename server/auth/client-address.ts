import { plainAddress } from '#server/core/client-address.ts';

/** Headers of a request, in any framework's form. */
type HeaderSource = Headers | Readonly<Record<string, string | string[] | undefined>> | undefined;

/**
 * The address that a dashboard request came from: the last hop of `X-Forwarded-For`, which the trusted proxy
 * wrote. Without a trusted proxy our server removes that header, and Next writes the connection's address. Null if
 * it is not an address.
 */
export function clientAddress(headers: HeaderSource): string | null {
  const value = headers instanceof Headers ? headers.get('x-forwarded-for') : headers?.['x-forwarded-for'];
  const list = Array.isArray(value) ? value.join(',') : value;
  return plainAddress(list?.split(',').at(-1));
}
