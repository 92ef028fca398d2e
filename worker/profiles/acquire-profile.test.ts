import { expect, test } from 'vitest';
import { sourceOf } from './acquire-profile.ts';

const HERE = 'vol_here';
const row = (volumeId: string | null, generation: number, restorable = false) => ({
  volumeId,
  generation,
  restorable,
});
const mark = (generation: number, pending = false) => ({ generation, pending });

test.each([
  ['a number that was never started', null, null, 'here'],
  ['its own profile as it was left', row(HERE, 4), mark(4), 'here'],
  ['its own profile after a clean stop, though a snapshot is there too', row(HERE, 4, true), mark(4), 'here'],
  ['acquired by a worker that died before it wrote to the database', row(HERE, 4), mark(5, true), 'here'],
  ['a taking up that died just after', row(HERE, 5), mark(5, true), 'here'],
  ['another volume’s session by its snapshot', row('vol_other', 4, true), null, 'snapshot'],
  [
    'another volume’s session by its snapshot, although it has an older profile of its own',
    row('vol_other', 4, true),
    mark(2),
    'snapshot',
  ],
  ['the snapshot where the directory was lost', row(HERE, 4, true), null, 'snapshot'],
  ['a session that was given up', row(null, 4), mark(4), 'nothing'],
] as const)('starts from %s', (_, profile, onDisk, source) => {
  expect(sourceOf(profile, onDisk, HERE, onDisk !== null)).toBe(source);
});

test.each([
  ['its own session without a mark', row(HERE, 4), true, 'here'],
  ['the snapshot rather than its own session without a mark', row(HERE, 4, true), true, 'snapshot'],
  ['nothing after its profile was removed with its link', row(HERE, 4), false, 'nothing'],
  ['nothing where another volume has had the session', row('vol_other', 4), true, 'nothing'],
  ['nothing after its session was given up', row(null, 4), true, 'nothing'],
] as const)('without a mark starts from %s', (_, profile, containsSession, source) => {
  expect(sourceOf(profile, null, HERE, containsSession)).toBe(source);
});

test.each([
  ['a database that went back, with a profile started since', row(HERE, 4), mark(5)],
  ['a database that went back to an old snapshot, with a profile started since', row(HERE, 4, true), mark(6)],
  ['the same, where the old snapshot was another volume’s', row('vol_other', 4, true), mark(6)],
  ['a disk that went back', row(HERE, 6), mark(5)],
] as const)('starts no session after %s', (_, profile, onDisk) => {
  expect(sourceOf(profile, onDisk, HERE, true)).toBe('stale');
});
