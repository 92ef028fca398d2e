import './timers.ts';
import { listenForMessages } from './acks.ts';
import { listenForRotation } from './adv-secret.ts';
import { breakBuild } from './broken-builds.ts';
import { delay } from './bytes.ts';
import { currentCredentials, isSaltMissing, listenForLinking } from './linking.ts';
import { listenForLogin } from './login.ts';
import { logoutFunctions } from './logout.ts';
import { modules } from './modules.ts';
import { listenForRestrictions } from './modules-health.ts';
import { drawQrCodes } from './qr-code.ts';
import { listenForRules } from './rules.ts';
import { listenForPasskey } from './shortcake.ts';
import { config } from './state.ts';
import { listenForStreamErrors } from './stream-errors.ts';
import { listenForWelcome } from './sync.ts';
import { connect } from './wire.ts';

/** The page's entry point: provides what whatsapp-web.js expects of the site, then connects to the server. */

function requireModule(name: string): unknown {
  if (config.lazyModules.includes(name))
    throw new Error(`Requiring module "${name}" with unresolved dependencies`);
  if (name in modules && !config.absentModules.includes(name)) return modules[name];
  void fetch(`/sandbox/missing?module=${encodeURIComponent(name)}`, { method: 'POST' });
  throw new Error(`Requiring unknown module "${name}".`);
}

const ballast = Array.from({ length: config.ballastMb * 8 }, () =>
  new Float64Array(16_384).fill(Math.random()),
);

if (config.brokenBuild) breakBuild(config.brokenBuild, modules);
listenForLinking();
listenForRotation();
drawQrCodes();
listenForPasskey();
listenForWelcome();
listenForLogin();
listenForRules();
listenForMessages();
listenForRestrictions();
listenForStreamErrors();
Object.assign(window, { require: requireModule, Debug: { VERSION: config.version }, ballast });
// The real page opens its socket about a second after its scripts have loaded.
await delay(config.socketDelayMs);
connect(currentCredentials);
if (isSaltMissing()) logoutFunctions.logout('missing_enc_salt');
