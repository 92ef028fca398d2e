/**
 * Who does something: a signed-in user (with the address they came from), an API key, the operator's CLI, or the
 * product.
 */
export type Actor =
  | { kind: 'user'; userId: string; address: string | null }
  | { kind: 'key'; keyId: string }
  | { kind: 'cli' }
  | { kind: 'system' };
