import { execFileSync } from 'node:child_process';

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();

/** The commit that runs here, marked if files differ from it. */
export function codeVersion(): string {
  const changed = git('status', '--porcelain', '--untracked-files=no') !== '';
  return `${git('rev-parse', '--short=10', 'HEAD')}${changed ? '+' : ''}`;
}

/** The commits from this one to the one that runs here, as {@link codeVersion} shows them. */
export function versionsSince(commit: string): Set<string> {
  const shown = git('log', '--abbrev=10', '--format=%h', `${commit}..HEAD`).split('\n');
  return new Set([git('rev-parse', '--short=10', commit), ...shown].filter((version) => version !== ''));
}
