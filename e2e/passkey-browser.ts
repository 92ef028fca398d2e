import type { BrowserContext, Page } from 'playwright/test';
import type { SandboxControl } from '#server/sandbox/client.ts';

/** The number's owner at a computer: WhatsApp Web's address with nothing on it, and a browser with their passkey. */

const SITE = 'https://web.whatsapp.com';

/** Answers for WhatsApp's site, which no test may reach. */
export async function standInForSite(context: BrowserContext): Promise<void> {
  await context.route(`${SITE}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>WhatsApp</title><p>Chats</p>' }),
  );
}

/** Gives a page's browser the passkey of a virtual phone, whose person always agrees. */
export async function givePasskey(page: Page, control: SandboxControl, phone: string): Promise<void> {
  const { credentialId, userHandle, privateKey } = await control.passkey({ phone });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const base64 = (text: string) => Buffer.from(text, 'base64url').toString('base64');
  await devtools.send('WebAuthn.addCredential', {
    authenticatorId,
    credential: {
      credentialId: base64(credentialId),
      isResidentCredential: true,
      rpId: 'whatsapp.com',
      privateKey: base64(privateKey),
      userHandle: base64(userHandle),
      signCount: 0,
    },
  });
}
