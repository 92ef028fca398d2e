import type { DraftKind } from './draft.ts';

export const text: DraftKind<'text'> = {
  type: 'chat',
  fields: ({ body }) => ({ body }),
  needs: ['body'],
};
