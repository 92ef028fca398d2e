import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { memoryLimit, requireMemory } from './memory.ts';
import { StartError } from './start-error.ts';

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-memory-'));
afterAll(() => fs.rmSync(place, { recursive: true, force: true }));

const MB = 1024 * 1024;
let roots = 0;
/** A system with these files. */
function system(files: Record<string, string>): string {
  const root = path.join(place, String(++roots));
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), `${content}\n`);
  }
  return root;
}

test.each([
  [
    'a container of the second version of cgroups',
    { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/memory.max': String(420 * MB) },
  ],
  [
    'a service whose slice is limited, and it is not',
    {
      'proc/self/cgroup': '0::/system.slice/wirebird.service',
      'sys/fs/cgroup/memory.max': 'max',
      'sys/fs/cgroup/system.slice/memory.max': String(420 * MB),
      'sys/fs/cgroup/system.slice/wirebird.service/memory.max': 'max',
    },
  ],
  [
    'a container of the first version, which sees the path of its host',
    {
      'proc/self/cgroup': '5:devices:/docker/abc\n4:memory:/docker/abc\n1:name=systemd:/docker/abc',
      'sys/fs/cgroup/memory/memory.limit_in_bytes': String(420 * MB),
    },
  ],
])('%s: the limit is found, and the start is refused with the amount needed', (_what, files) => {
  const limit = memoryLimit(system(files));
  expect(limit.bytes).toBe(420 * MB);
  expect(() => requireMemory('all', limit)).toThrow(StartError);
  expect(() => requireMemory('all', limit)).toThrow(
    /^Not enough memory: the memory limit of this container or service \(cgroup\) is 420 MB\. At least \d+ MB is needed, .+ Add memory or raise the limit\.$/,
  );
});

test('without a limit the machine’s memory counts', () => {
  const unlimited = system({
    'proc/self/cgroup': '4:memory:/a',
    'sys/fs/cgroup/memory/a/memory.limit_in_bytes': '9223372036854771712',
  });
  for (const root of [unlimited, system({}), '/'])
    expect(memoryLimit(root).bytes).toBeLessThanOrEqual(os.totalmem());
  expect(memoryLimit(unlimited)).toEqual({ bytes: os.totalmem(), whose: 'the memory of this machine' });
  expect(() => requireMemory('all', { bytes: 256 * MB, whose: 'the memory of this machine' })).toThrow(
    /^Not enough memory: the memory of this machine is 256 MB/,
  );
  requireMemory('all', { bytes: 4096 * MB, whose: 'the memory of this machine' });
});
