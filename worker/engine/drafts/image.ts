import { captionOf, type DraftKind, UPLOADED } from './draft.ts';

export const image: DraftKind<'image'> = {
  type: 'image',
  fields: ({ caption }) => captionOf(caption),
  file: () => ({
    name: 'image',
    prepare: {},
    prepared: { width: 'fullWidth', height: 'fullHeight', body: 'preview' },
  }),
  needs: [...UPLOADED, 'width', 'height'],
};
