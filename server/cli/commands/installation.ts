import { backUp } from '#server/operations/back-up.ts';
import { acceptDataDir, generationOf, movedAt, unmarkMoved } from '#server/operations/generation.ts';
import { replaceByBackup } from '#server/operations/replace-by-backup.ts';
import { restore } from '#server/operations/restore.ts';
import { acceptSecrets } from '#server/operations/secret-fingerprints.ts';
import { settings } from '#server/settings.ts';
import { command, flag, text } from '../command.ts';

const MAY_STILL_SEND =
  'Stop the installation that this backup comes from, and do not start it again: both would send. Its waiting messages are unknown here. A backup made with --move prevents this.';

export const installationCommands = [
  command({
    name: 'backup',
    does: 'Writes the database to a file; --move also stops this installation for good, to restore it elsewhere.',
    usage: 'FILE [--move]',
    options: { file: text, move: flag },
    positional: 'file',
    run: async ({ file, move }, context) => backUp({ database: await context.database() }, { file, move }),
  }),

  command({
    name: 'restore',
    does: 'Fills an empty database from a backup; --replace deletes what is in it first.',
    usage: 'FILE [--replace] [--other-secrets]',
    options: { file: text, replace: flag, 'other-secrets': flag },
    positional: 'file',
    run: async ({ file, replace, 'other-secrets': otherSecrets }, context) => {
      const restored = replace
        ? await replaceByBackup({
            ...{ file, otherSecrets, url: await context.databaseUrl({ restoring: true }) },
            open: () => context.database({ restoring: true }),
          })
        : await restore({ database: await context.database({ restoring: true }) }, { file, otherSecrets });
      return restored.moved ? restored : { ...restored, warning: MAY_STILL_SEND };
    },
  }),

  command({
    name: 'move undo',
    does: 'Lets an installation that was backed up with --move start again.',
    usage: '',
    options: {},
    run: async (_, context) => {
      const database = await context.database();
      const was = await movedAt({ database });
      await unmarkMoved({ database });
      return { movedAt: was, moved: false };
    },
  }),

  command({
    name: 'data-dir accept',
    does: 'Uses DATA_DIR with this database, and sets the sessions in it aside.',
    usage: '',
    options: {},
    run: async (_, context) => {
      const ours = await generationOf({ database: await context.database() });
      return { dataDir: settings.dataDir, setAside: acceptDataDir(settings.dataDir, ours) };
    },
  }),

  command({
    name: 'secrets accept',
    does: 'Accepts the current secrets as the right ones for this database.',
    usage: '',
    options: {},
    run: async (_, context) => ({
      fingerprints: await acceptSecrets({ database: await context.database({ anySecrets: true }) }),
    }),
  }),
];
