import { randomBytes, toBase64 } from './bytes.ts';
import { onStanza } from './comms.ts';
import { Emitter } from './models.ts';
import { send } from './wire.ts';

/** The secret that the QR gives to the phone. The server can have it made again while the QR is shown. */

const create = () => toBase64(randomBytes(32));
let secret = create();

export const advSecretEventEmitter = new Emitter();
export const getADVSecretKey = (): string => secret;

/** Stands for the check of the phone's signature, which is made with the secret of the scanned QR. */
export const tellSecret = (): void => send({ t: 'secret', secret });

/** Returns the old secret. */
export function rotateSecret(): string {
  const old = secret;
  secret = create();
  tellSecret();
  advSecretEventEmitter.trigger('change');
  return old;
}

export function listenForRotation(): void {
  onStanza('notification', ({ attrs }) => {
    if (attrs.type === 'companion_reg_refresh') rotateSecret();
  });
}
