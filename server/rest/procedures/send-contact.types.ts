import { z } from 'zod';
import { tokenField } from '#server/core/request-fields.ts';
import { SEND_FIELDS } from '#server/core/send-requests.ts';
import { sendMeta } from './send-meta.ts';

export const sendContactMeta = sendMeta('/messages/contact', {
  summary: 'Send a contact card',
  description: 'The vCard is made from name and number.',
});

export const SendContactRequest = z.object({ token: tokenField(), ...SEND_FIELDS.contact() });

export const sendContactExample = {
  to: '4915228817386',
  contactName: 'Workshop, Jonas',
  contactPhone: '4915112345678',
};
