import { type DraftKind, UPLOADED } from './draft.ts';

export const audio: DraftKind<'audio'> = {
  type: 'audio',
  fields: () => ({}),
  file: () => ({
    name: 'audio',
    prepare: {},
    prepared: { duration: 'duration', waveform: 'waveform' },
  }),
  needs: UPLOADED,
};
