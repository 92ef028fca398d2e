import { plainAddress } from '#server/core/client-address.ts';

/** Headers of a request, in any framework's form. */
type HeaderSource = Headers | Readonly<Record<string, string | string[] | undefined>> | undefined;

/**
 * The address that a dashboard request came from: the last hop of `X-Forwarded-For`, the only one that the
 * trusted proxy wrote itself. Our server removes that header where no proxy is trusted, and Next then puts
 * the connection's own address in its place. Null when neither is an address.
 */
export function clientAddress(headers: HeaderSource): string | null {
  const value = headers instanceof Headers ? headers.get('x-forwarded-for') : headers?.['x-forwarded-for'];
  const list = Array.isArray(value) ? value.join(',') : value;
  return plainAddress(list?.split(',').at(-1));
}
