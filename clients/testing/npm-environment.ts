import { childEnvironment } from '../../server/settings.ts';

/** The environment for `npm` as a user runs it: without the settings of this repository, which `npm run` passes on. */
export function npmEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(childEnvironment()).filter(([name]) => !name.startsWith('npm_')),
  ) as NodeJS.ProcessEnv;
}
