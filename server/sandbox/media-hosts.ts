import { log } from '#server/platform/log.ts';
import { settings } from '#server/settings.ts';
import { readControlFile } from './control-file.ts';

/** Hosts that media may come from although they are not public: the operator's and the sandbox's. */
export function allowedMediaHosts(): string[] {
  return [...settings.mediaAllowHosts, ...sampleHosts()];
}

function sampleHosts(): string[] {
  if (!settings.sandbox) return [];
  try {
    return [readControlFile().samples.host];
  } catch (error) {
    log.warn({ err: error }, 'the sandbox is not running: its sample files cannot be fetched');
    return [];
  }
}
