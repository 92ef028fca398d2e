/** Why a database that answers takes nothing: it has no room for it. */
export type NoRoom = 'disk' | 'memory' | 'connections' | 'other';

/** What PostgreSQL has no room for, by the SQLSTATE of an error; null for other errors. */
export function noRoomOf(state: string): NoRoom | null {
  // A write that the disk refuses is a full or a broken one.
  if (state === '53100' || state === '58030') return 'disk';
  if (state === '53200') return 'memory';
  if (state === '53300') return 'connections';
  return state.startsWith('53') && state.length === 5 ? 'other' : null;
}
