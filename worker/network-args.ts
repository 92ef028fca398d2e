import type { Network } from '#server/core/number-state.ts';
import { readControlFile } from '#server/sandbox/control-file.ts';
import { settings } from '#server/settings.ts';
import { chromiumArgs } from './sandbox/chromium-args.ts';

/** The browser arguments for a number's network: none for the real one. */
export function networkArgs(network: Network, dataDir = settings.dataDir): readonly string[] {
  return network === 'sandbox' ? chromiumArgs(readControlFile(dataDir)) : [];
}
