import { execFileSync } from 'node:child_process';
import path from 'node:path';

const PACKAGE = path.join(import.meta.dirname, '../python');

/** A client may be installed for only one of these. */
const CANDIDATES = ['python3', '/usr/bin/python3'];

/** The first of these Pythons that can import the modules; null if none can. */
export function pythonWith(...modules: string[]): string | null {
  const code = `import ${modules.join(', ')}`;
  const found = CANDIDATES.find((command) => {
    try {
      execFileSync(command, ['-c', code], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
  return found ?? null;
}

/** The environment in which Python finds the client as it is in this repository. */
export const PYTHON_ENV = {
  PYTHONPATH: path.join(PACKAGE, 'src'),
  PYTHONDONTWRITEBYTECODE: '1',
};
