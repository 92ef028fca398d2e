import type { Command } from './command.ts';
import { accountCommands } from './commands/account.ts';
import { doctorCommands } from './commands/doctor.ts';
import { installationCommands } from './commands/installation.ts';
import { keyCommands } from './commands/key.ts';
import { numberCommands } from './commands/number.ts';
import { sandboxCommands } from './commands/sandbox.ts';
import { userCommands } from './commands/user.ts';
import { whatsappCommands } from './commands/whatsapp.ts';

/** Every command of the operator's command line. */
export const COMMANDS: readonly Command[] = [
  ...accountCommands,
  ...userCommands,
  ...numberCommands,
  ...keyCommands,
  ...sandboxCommands,
  ...whatsappCommands,
  ...doctorCommands,
  ...installationCommands,
];
