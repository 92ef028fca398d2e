/**
 * Who does something: a signed-in user (with the address they came from), an API key, the operator's CLI, or the
 * product (with the address of the visitor who caused it).
 */
export type Actor =
  | { kind: 'user'; userId: string; address: string | null }
  | { kind: 'key'; keyId: string }
  | { kind: 'cli' }
  | { kind: 'system'; address?: string | null };
