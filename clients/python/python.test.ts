import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, inject, test } from 'vitest';
import { PYTHON_ENV, pythonWith } from '../testing/python.ts';
import { shareOf } from '../testing/shares.ts';

const MODULES = ['httpx', 'pytest'];
const python = pythonWith(...MODULES);
// biome-ignore lint/style/noProcessEnv: no setting of the product; set by CI
const { CI, ...env } = process.env;

if (!python && !CI)
  console.warn(`The Python client is not tested: no Python here has ${MODULES.join(', ')}.`);

// In CI a Python without these modules is a failure.
test.runIf(python || CI)('the Python client passes its own tests', { timeout: 240_000 }, async () => {
  expect(python, `no Python here has ${MODULES.join(', ')}`).not.toBeNull();
  const { baseUrl, control, receiverPorts } = inject('product');
  const product = { baseUrl, control, receiverPort: receiverPorts.python, numbers: shareOf('python') };
  const ran = spawn(python ?? '', ['-m', 'pytest'], {
    cwd: import.meta.dirname,
    env: { ...env, ...PYTHON_ENV, WIREBIRD_TEST_PRODUCT: JSON.stringify(product) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, exitCode] = await Promise.all([
    text(ran.stdout),
    new Promise((resolve) => ran.once('close', resolve)),
  ]);
  expect(exitCode, output).toBe(0);
});
