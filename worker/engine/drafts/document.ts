import { captionOf, type DraftKind, UPLOADED } from './draft.ts';

export const document: DraftKind<'document'> = {
  type: 'document',
  fields: ({ filename, caption }) => ({
    filename,
    ...captionOf(caption),
    isCaptionByUser: caption !== undefined,
  }),
  file: ({ filename }) => ({
    name: filename,
    prepare: { asDocument: true, filename },
    prepared: { pageCount: 'pageCount', body: 'preview' },
  }),
  needs: [...UPLOADED, 'filename'],
};
