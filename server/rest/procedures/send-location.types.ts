import { z } from 'zod';
import { tokenField } from '#server/core/request-fields.ts';
import { SEND_FIELDS } from '#server/core/send-requests.ts';
import { sendMeta } from './send-meta.ts';

export const sendLocationMeta = sendMeta('/messages/location', {
  summary: 'Send a location',
  description: 'A point on the map, with the name and address of the place where they are known.',
});

export const SendLocationRequest = z.object({ token: tokenField(), ...SEND_FIELDS.location() });

export const sendLocationExample = {
  to: '4915228817386',
  latitude: 53.5503,
  longitude: 9.992,
  name: 'Town hall',
  address: 'Rathausmarkt 1, 20095 Hamburg',
};
