/** Signs with the browser's passkey for WhatsApp. It has to run in WhatsApp's own page, after a click. */
// biome-ignore lint/correctness/noUnusedVariables: the extension's script and the console's code contain it
async function wirebirdSign(request: WirebirdRequest): Promise<WirebirdAssertion> {
  const toBytes = (text: string) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
  const toText = (bytes: ArrayBuffer) => {
    const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
    return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  };
  if (request.rpId !== 'whatsapp.com') throw new Error('This is no request of WhatsApp.');
  const publicKey = {
    ...request,
    challenge: toBytes(request.challenge),
    allowCredentials: request.allowCredentials.map(({ type, id }) => ({ type, id: toBytes(id) })),
  };
  const signed = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential | null;
  if (!signed) throw new Error('No passkey was chosen.');
  const response = signed.response as AuthenticatorAssertionResponse;
  return {
    id: signed.id,
    clientDataJSON: toText(response.clientDataJSON),
    authenticatorData: toText(response.authenticatorData),
    signature: toText(response.signature),
    userHandle: response.userHandle ? toText(response.userHandle) : null,
  };
}
