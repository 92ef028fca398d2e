/** `npm run clients:build`, and `npm pack` in this folder: the package in `clients/typescript/dist`. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

const HERE = import.meta.dirname;
const DIST = path.join(HERE, 'dist');

/** The library as modules with types, and the MCP server with everything it needs as one file. */
export async function build(): Promise<void> {
  fs.rmSync(DIST, { recursive: true, force: true });
  const tsc = path.join(HERE, '../../node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', path.join(HERE, 'tsconfig.build.json')], { stdio: 'inherit' });
  const bundle = await rolldown({ input: path.join(HERE, 'mcp/cli.ts'), platform: 'node' });
  const { output } = await bundle.write({ file: path.join(DIST, 'cli.js'), format: 'esm', minify: true });
  await bundle.close();
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
  fs.writeFileSync(path.join(DIST, 'cli.licenses.txt'), licensesOf(modules));
}

/** The licences of the packages in the bundle. A package without one fails the build. */
function licensesOf(modules: readonly string[]): string {
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const { name, version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
      const file = fs.readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      if (!file) throw new Error(`${name} has no licence file`);
      return `${name} ${version}\n\n${fs.readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}

if (import.meta.main) await build();
