/** What a database that answers can lack room for. */
export type NoRoom = 'disk' | 'memory' | 'connections' | 'other';

/** What PostgreSQL has no room for, by the SQLSTATE of an error; null for other errors. */
export function noRoomOf(state: string): NoRoom | null {
  // The disk refuses a write if it is full or broken.
  if (state === '53100' || state === '58030') return 'disk';
  if (state === '53200') return 'memory';
  if (state === '53300') return 'connections';
  return state.startsWith('53') && state.length === 5 ? 'other' : null;
}
