import { useEffect, useRef, useState } from 'react';

/** The messages of `clients/passkey-extension`, whose script runs in this page too. */
type FromExtension = { wirebird: 'extension' } & ({ kind: 'here' } | { kind: 'signed'; assertion: unknown });

/** Is the extension installed? `sign` opens WhatsApp Web and has it sign there. */
export function usePasskeyExtension() {
  const [isHere, setHere] = useState(false);
  const onSigned = useRef<((assertion: unknown) => void) | null>(null);
  useEffect(() => {
    const listen = ({ source, data }: MessageEvent<FromExtension | undefined>) => {
      if (source !== window || data?.wirebird !== 'extension') return;
      setHere(true);
      if (data.kind !== 'signed') return;
      onSigned.current?.(data.assertion);
      onSigned.current = null;
    };
    window.addEventListener('message', listen);
    say({ kind: 'hello' });
    return () => window.removeEventListener('message', listen);
  }, []);
  return {
    isHere,
    sign(asked: { request: object; name: string }, then: (assertion: unknown) => void) {
      onSigned.current = then;
      say({ kind: 'sign', ...asked });
    },
  };
}

function say(message: object): void {
  window.postMessage({ wirebird: 'page', ...message }, window.location.origin);
}
