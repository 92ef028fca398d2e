import type { Outputs } from '#app/_trpc/client.ts';
import { audit } from './audit-words.ts';

/** The details of an entry that are worth showing; a count of 0 is not. */
export function detailOf(detail: Outputs['admin']['audit']['rows'][number]['detail']): string {
  return Object.entries(detail ?? {})
    .filter(([name, value]) => value !== null && value !== 0 && value !== false && name !== 'numberId')
    .map(([name, value]) => audit.detail[name]?.(value, detail ?? {}) ?? `${name} ${value}`)
    .filter((text) => text !== '')
    .join(', ');
}
