import { backUp } from '#server/services/back-up.ts';
import { restore } from '#server/services/restore.ts';
import { acceptSecrets } from '#server/services/secret-fingerprints.ts';
import { command, flag, text } from '../command.ts';

export const installationCommands = [
  command({
    name: 'backup',
    usage: 'FILE',
    options: { file: text },
    positional: 'file',
    run: async ({ file }, context) => backUp(await context.database(), { file }),
  }),

  command({
    name: 'restore',
    usage: 'FILE [--other-secrets]',
    options: { file: text, 'other-secrets': flag },
    positional: 'file',
    run: async ({ file, 'other-secrets': otherSecrets }, context) =>
      restore(await context.database(), { file, otherSecrets }),
  }),

  command({
    name: 'secrets accept',
    usage: '',
    options: {},
    run: async (_, context) => ({ fingerprints: await acceptSecrets(await context.database()) }),
  }),
];
