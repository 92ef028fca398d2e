/** The host that the sandbox plays. */
export const SITE_HOST = 'web.whatsapp.com';

/**
 * All that sends a browser to the sandbox instead of WhatsApp: the site's name leads to its port and no
 * other name resolves, and its certificate is accepted by its key. The page keeps its true origin.
 */
export function chromiumArgs({ httpsPort, spki }: { httpsPort: number; spki: string }): string[] {
  return [
    `--host-resolver-rules=MAP ${SITE_HOST}:443 127.0.0.1:${httpsPort}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
    `--ignore-certificate-errors-spki-list=${spki}`,
    // A document that did not come from an address counts as public, and would not reach one of this machine.
    `--ip-address-space-overrides=127.0.0.1:${httpsPort}=public`,
  ];
}
