import type { MESSAGE_TYPES } from '#server/core/message.ts';
import type { Samples } from '#server/sandbox/control-file.ts';

const TO = '4915228817386';

/** One message of each kind, as it is posted to `/v1/messages/<kind>`. */
export function demoMessages(samples: Samples): Record<(typeof MESSAGE_TYPES)[number], object> {
  return {
    text: { to: TO, body: 'Hello from Wirebird 🐦' },
    image: { to: TO, url: samples.image, caption: 'A picture' },
    document: { to: TO, url: samples.document, filename: 'invoice.pdf', caption: 'A document' },
    location: { to: TO, latitude: 52.5163, longitude: 13.3777, name: 'Brandenburg Gate', address: 'Berlin' },
    contact: { to: TO, contactName: 'Ann Example', contactPhone: '4915228817386' },
    audio: { to: TO, url: samples.audio },
  };
}

/** A command line that sends a text when it is pasted into a shell. */
export function curlCommand(base: string, key: string): string {
  return [
    `curl -X POST ${base}/v1/messages/text`,
    `-H "Authorization: Bearer ${key}"`,
    '-H "Content-Type: application/json"',
    `-d '${JSON.stringify({ to: TO, body: 'Hello from curl' })}'`,
  ].join(' \\\n  ');
}
