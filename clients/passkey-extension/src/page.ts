/** In WhatsApp's own page, where the browser offers every passkey: signs what the panel asks for. */
(() => {
  document.addEventListener('wirebird-sign', (event) => {
    const { request } = JSON.parse((event as CustomEvent<string>).detail) as WirebirdPending;
    const answer = (detail: object) =>
      document.dispatchEvent(new CustomEvent('wirebird-signed', { detail: JSON.stringify(detail) }));
    // At once: the browser asks for a passkey only in response to a click.
    wirebirdSign(request).then(
      (assertion) => answer({ assertion }),
      (error: Error) => answer({ error: error.message }),
    );
  });
})();
