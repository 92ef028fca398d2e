/** Entry files import this before everything else, because it makes later imports cheaper. */
import { enableCompileCache, registerHooks } from 'node:module';
import { compileCache } from './node.ts';

enableCompileCache(compileCache);

// Node parses a package's `exports` again for each of its ES modules. drizzle-orm has very long exports and 100
// modules, so this takes half of a process's start time. Its CommonJS modules are equivalent and load faster.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('drizzle-orm')
      ? next(specifier, { ...context, conditions: ['node', 'require'] })
      : next(specifier, context),
});
