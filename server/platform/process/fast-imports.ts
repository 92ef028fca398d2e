/** Imported before everything else by what starts a process: modules that load later cost less. */
import { enableCompileCache, registerHooks } from 'node:module';
import { compileCache } from './node.ts';

enableCompileCache(compileCache);

// Node parses a package's list of exports again for each of its ES modules. drizzle-orm has a very long list and 100
// modules, which takes half of the time in which a process starts. Its CommonJS modules are the same without that.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('drizzle-orm')
      ? next(specifier, { ...context, conditions: ['node', 'require'] })
      : next(specifier, context),
});
