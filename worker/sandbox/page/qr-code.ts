import { advSecretEventEmitter, getADVSecretKey } from './adv-secret.ts';
import { toBase64 } from './bytes.ts';
import { identityKey, noiseKey } from './linking.ts';
import { Conn, config, Socket } from './state.ts';

/** Draws the QR. As on the real page, an attribute holds its text. */

export const DEVICE_PLATFORM = '1';

export function drawQrCodes(): void {
  const drawn = document.createElement('div');
  const draw = () => {
    const keys = [noiseKey, identityKey].map(toBase64);
    const parts = [Conn.ref, ...keys, getADVSecretKey(), DEVICE_PLATFORM];
    drawn.dataset.ref = config.qrAround.join(parts.join(','));
    if (Socket.state === 'UNPAIRED') document.body.append(drawn);
    else drawn.remove();
  };
  Conn.on('change:ref', draw);
  Socket.on('change:state', draw);
  advSecretEventEmitter.on('change', draw);
}
