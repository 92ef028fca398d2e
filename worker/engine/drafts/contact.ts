import { buildVcard } from '#server/core/vcard.ts';
import type { DraftKind } from './draft.ts';

export const contact: DraftKind<'contact'> = {
  type: 'vcard',
  fields: ({ contactName, contactPhone }) => ({
    body: buildVcard({ name: contactName, phone: contactPhone }),
    vcardFormattedName: contactName.trim(),
  }),
  needs: ['body', 'vcardFormattedName'],
};
