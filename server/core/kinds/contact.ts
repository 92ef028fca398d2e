import { LIMITS } from '../limits.ts';
import { kind } from './kind.ts';

export const contact = kind({
  fields: {
    contactName: (f) =>
      f
        .requiredText({
          field: 'contactName',
          what: 'the name of the contact',
          charsMax: LIMITS.contactNameChars,
        })
        .meta({ description: 'Name of the contact.' }),
    contactPhone: (f) => f.phone('contactPhone'),
  },
  preview: ({ contactName }) => contactName,
  example: () => ({ contactName: 'Workshop, Jonas', contactPhone: '4915112345678' }),
  summary: 'Send a contact card',
  description: 'The vCard is made from name and number.',
});
