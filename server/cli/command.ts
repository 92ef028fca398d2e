import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { z } from 'zod';
import type { Database } from '#server/platform/db/client.ts';

export interface OpenDatabaseOptions {
  /** Makes a new installation where there is none, as the first start does. Without it, that is an error. */
  creates?: boolean;
  /** Different secrets do not stop the command. */
  anySecrets?: boolean;
  /** The database will be filled from a backup. */
  restoring?: boolean;
  /** Its earlier contents are set aside meanwhile. */
  replacing?: boolean;
}

/** What a command may use; the database opens on first use. */
export interface CliContext {
  database(how?: OpenDatabaseOptions): Promise<Database>;
  /** The database's address, whatever version the schema has. Starts an embedded server if one is needed. */
  databaseUrl(how?: OpenDatabaseOptions): Promise<string>;
}

export interface Command {
  /** Its words, such as `account create`. */
  name: string;
  /** What it does, in a sentence. */
  does: string;
  /** The full call, starting with `npm run`. */
  usage: string;
  /**
   * Checks the arguments (throws {@link UsageError}), does the work and returns what is printed: {@link Lines}, or
   * a value as JSON.
   */
  run(args: string[], context: CliContext): Promise<unknown>;
}

/** An invalid call; the message shows the correct one. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The output of a command that is for people. */
export class Lines {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }
}

/** How every command is called. */
export const CALL = 'npm run -s cli --';

/** Option values as given: text, or true for a flag. */
export const text = z.string().trim().min(1, 'must not be empty');
export const flag = z.boolean().default(false);
export const whole = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number);

/**
 * A command of the table. Its options are zod schemas, which also define how arguments are parsed. `run` gets the
 * parsed values.
 */
export function command<S extends z.ZodRawShape>(definition: {
  name: string;
  does: string;
  /** The options as a person writes them. */
  usage: string;
  options: S;
  /** The option that is given as a plain word, without its name. */
  positional?: keyof S & string;
  run(given: z.output<z.ZodObject<S>>, context: CliContext): Promise<unknown>;
}): Command {
  const { name, does, options, positional, run } = definition;
  const usage = `${CALL} ${name} ${definition.usage}`.trim();
  const schema = z.object(options);
  const types: ParseArgsOptionsConfig = Object.fromEntries(
    Object.entries(options).map(([option, value]) => [
      option,
      { type: value === flag ? 'boolean' : 'string' },
    ]),
  );
  const wrong = (what: string) => new UsageError(`${what} Usage: ${usage}`);
  return {
    name,
    does,
    usage,
    async run(args, context) {
      let values: unknown;
      try {
        const parsed = parseArgs({ args, options: types, allowPositionals: positional !== undefined });
        const [word, ...more] = parsed.positionals;
        if (more.length > 0) throw new Error(`Unexpected argument '${more[0]}'`);
        values = word === undefined ? parsed.values : { ...parsed.values, [positional ?? '']: word };
      } catch (error) {
        throw wrong(sentence((error as Error).message));
      }
      const parsed = schema.safeParse(values);
      if (!parsed.success) throw wrong(describe(parsed.error, positional));
      return run(parsed.data, context);
    },
  };
}

function describe(error: z.ZodError, positional: string | undefined): string {
  const [issue] = error.issues;
  const name = String(issue?.path[0] ?? '');
  const option = name === positional ? name.toUpperCase() : `--${name}`;
  if (issue?.code === 'invalid_type') return `${option} is missing.`;
  return `${option} ${issue?.message ?? 'is wrong'}.`;
}

/** The first sentence of Node's error about arguments, with a full stop. */
function sentence(message: string): string {
  return `${message.split(/[.\n]/)[0]}.`;
}
