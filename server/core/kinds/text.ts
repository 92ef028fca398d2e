import { LIMITS } from '../limits.ts';
import { kind } from './kind.ts';

export const text = kind({
  fields: {
    body: (f) =>
      f
        .requiredText({ field: 'body', what: 'the text of the message', charsMax: LIMITS.bodyChars })
        .meta({ description: 'The text of the message, counted in Unicode characters.' }),
  },
  preview: ({ body }) => body,
  example: () => ({ body: 'Your bike is ready. Pick it up any day until 18:00.' }),
  summary: 'Send a text',
  description: 'Any characters, line breaks and emoji included. Links get no preview.',
});
