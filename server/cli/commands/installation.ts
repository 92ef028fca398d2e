import { backUp } from '#server/operations/back-up.ts';
import { acceptDataDir, generationOf, movedAt, unmarkMoved } from '#server/operations/generation.ts';
import { moveCosts, numbersToLink } from '#server/operations/queries/links.ts';
import { replaceByBackup } from '#server/operations/replace-by-backup.ts';
import { restore } from '#server/operations/restore.ts';
import { acceptSecrets } from '#server/operations/secret-fingerprints.ts';
import { settings } from '#server/settings.ts';
import { command, flag, Lines, text } from '../command.ts';
import { backupLines, moveLines } from '../installation-lines.ts';
import { restoreLines } from '../restore-lines.ts';

const MAY_STILL_SEND =
  'If this backup comes from another installation, stop that installation and never start it again. Otherwise messages can arrive twice. Messages that were waiting are `unknown` here. A backup made with --move avoids this.';
const MAY_HAVE_SENT =
  'The database was replaced by its own earlier backup. Messages that were waiting at that time keep the outcome that the replaced database knew, and those that still waited there are `expired`: they were not sent. The others are `unknown`, because they may have been sent since. Messages accepted after the backup are missing: a program that repeats such a request sends the message a second time.';
const MOVED_AWAY =
  'This installation does not start again. Copy the file to the new machine, with the same three secrets, and run "cli restore" there.';
const MOVED_HERE =
  'Messages that waited were not sent, and are reported as expired. Scheduled messages are kept. Start Wirebird here and link its numbers.';
const MAY_RUN_ELSEWHERE =
  'This installation can now start and send again. Was the installation that you restored from its backup ever started? If not, you can start this one. If it was, do not start this one: both would send the waiting messages. Use the restored one, or move it back: run "cli backup --move" there and "cli restore --replace" here.';

export const installationCommands = [
  command({
    name: 'backup',
    does: 'Writes the database to a file. With --move (stop Wirebird first), also marks this installation as moved, so that it does not start again.',
    usage: 'FILE [--move] [--json]',
    options: { file: text, move: flag, json: flag },
    positional: 'file',
    run: async ({ file, move, json }, context) => {
      const database = await context.database();
      const made = await backUp({ database }, { file, move });
      if (json) return made.moved ? { ...made, next: MOVED_AWAY } : made;
      const moved = made.moved ? { costs: await moveCosts(database.db), next: MOVED_AWAY } : null;
      return new Lines(backupLines(made, moved));
    },
  }),

  command({
    name: 'restore',
    does: 'Fills an empty database from a backup; --replace deletes what is in it first.',
    usage: 'FILE [--replace] [--other-secrets] [--json]',
    options: { file: text, replace: flag, 'other-secrets': flag, json: flag },
    positional: 'file',
    run: async ({ file, replace, 'other-secrets': otherSecrets, json }, context) => {
      const restored = replace
        ? await replaceByBackup({
            ...{ file, otherSecrets, url: await context.databaseUrl({ restoring: true }) },
            open: () => context.database({ restoring: true, replacing: true }),
          })
        : await restore({ database: await context.database({ restoring: true }) }, { file, otherSecrets });
      if (!json) {
        const { db } = await context.database({ restoring: true });
        return new Lines(restoreLines(restored, await numbersToLink(db)));
      }
      if (restored.moved) return { ...restored, next: MOVED_HERE };
      return { ...restored, warning: restored.sameInstallation ? MAY_HAVE_SENT : MAY_STILL_SEND };
    },
  }),

  command({
    name: 'move preview',
    does: 'Says what a move costs: waiting messages that will expire, and numbers to link again. Changes nothing.',
    usage: '[--json]',
    options: { json: flag },
    run: async ({ json }, context) => {
      const costs = await moveCosts((await context.database()).db);
      return json ? costs : new Lines(moveLines(costs));
    },
  }),

  command({
    name: 'move undo',
    does: 'Lets an installation that was backed up with --move start again.',
    usage: '[--json]',
    options: { json: flag },
    run: async ({ json }, context) => {
      const database = await context.database();
      const was = await movedAt({ database });
      await unmarkMoved({ database });
      if (!json)
        return new Lines(
          was === null
            ? ['This installation was not moved. Nothing was changed.']
            : [`Undone: the move of ${was}.`, MAY_RUN_ELSEWHERE],
        );
      return { movedAt: was, moved: false, ...(was !== null && { warning: MAY_RUN_ELSEWHERE }) };
    },
  }),

  command({
    name: 'data-dir accept',
    does: 'Uses DATA_DIR with this database, and quarantines the sessions in it.',
    usage: '',
    options: {},
    run: async (_, context) => {
      const ours = await generationOf({ database: await context.database() });
      // The key stays: programs may read it.
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
