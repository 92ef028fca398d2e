/**
 * Stand-ins for the base images of `deploy/Dockerfile`, for a machine that reaches no image registry: a minimal
 * Debian under the name of its slim image, and the same with the pinned Node and this machine's npm. They use
 * this machine's names, certificates and npm registry. As root, with debootstrap and podman.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { nodePath } from '#server/platform/process/node.ts';
import { CERTIFICATES, makeDebian, onHost } from '../debian-root.ts';
import type { Podman } from './podman.ts';

const SUITE = 'bookworm';
const DEBIAN = `docker.io/library/debian:${SUITE}-slim`;
const NODE = `docker.io/library/node:24-${SUITE}-slim`;

/** Makes the images that podman does not have yet; `place` keeps the Debian root for the next time. */
export function makeStandIns(place: string, podman: Podman, arch?: string): void {
  if ([DEBIAN, NODE].every((name) => podman.attempt('image', 'exists', name).code === 0)) return;
  const root = path.join(place, SUITE);
  const finished = path.join(place, `${SUITE}-finished`);
  if (!fs.existsSync(finished)) {
    makeDebian(root, SUITE, arch);
    fs.writeFileSync(finished, '');
  }
  makeSlim(root);
  importAs(podman, DEBIAN, root, { arch, environment: [] });

  addNode(root, arch);
  const registry = output('npm', 'config', 'get', 'registry');
  const certificates = fs.existsSync(path.join(root, CERTIFICATES));
  const environment = [
    `npm_config_registry=${registry}`,
    ...(certificates ? [`NODE_EXTRA_CA_CERTS=${CERTIFICATES}`] : []),
  ];
  importAs(podman, NODE, root, { arch, environment });
}

/** Removes what the slim image leaves out. Packages that are installed later leave it out too. */
function makeSlim(root: string): void {
  const left = ['doc', 'groff', 'info', 'linda', 'lintian', 'locale', 'man'].map(
    (name) => `/usr/share/${name}`,
  );
  const lines = left.map((directory) => `path-exclude=${directory}/*\n`);
  fs.writeFileSync(path.join(root, 'etc/dpkg/dpkg.cfg.d/slim'), lines.join(''));
  for (const directory of [...left, '/var/lib/apt/lists', '/var/cache/apt']) {
    fs.rmSync(path.join(root, directory), { recursive: true, force: true });
    fs.mkdirSync(path.join(root, directory), { recursive: true });
  }
}

function importAs(
  podman: Podman,
  name: string,
  root: string,
  { arch, environment }: { arch: string | undefined; environment: string[] },
): void {
  const archive = `${root}.tar`;
  onHost('tar', '-C', root, '-cf', archive, '.');
  const changes = environment.flatMap((pair) => ['--change', `ENV ${pair}`]);
  const forArch = arch ? ['--arch', arch] : [];
  podman.output('import', ...forArch, '--change', 'CMD ["/bin/bash"]', ...changes, archive, name);
  fs.rmSync(archive);
}

/** Node and npm in `/usr/local`, as in the image of that name. */
function addNode(root: string, arch?: string): void {
  onHost('cp', '-L', arch ? nodeFor(arch, root) : nodePath, path.join(root, 'usr/local/bin/node'));
  const npm = path.dirname(path.dirname(fs.realpathSync(output('sh', '-c', 'command -v npm'))));
  const modules = path.join(root, 'usr/local/lib/node_modules');
  fs.rmSync(modules, { recursive: true, force: true });
  fs.mkdirSync(modules, { recursive: true });
  onHost('cp', '-aL', npm, path.join(modules, 'npm'));
  for (const name of ['npm', 'npx'])
    onHost('ln', '-sf', `../lib/node_modules/npm/bin/${name}-cli.js`, path.join(root, 'usr/local/bin', name));
}

/** The pinned Node for another processor, from npm. */
function nodeFor(arch: string, root: string): string {
  const place = `${root}-node`;
  const version = output(nodePath, '--print', 'process.versions.node');
  fs.mkdirSync(place, { recursive: true });
  const packed = output('npm', 'pack', '--pack-destination', place, `node-linux-${arch}@${version}`);
  onHost('tar', '-xzf', path.join(place, packed), '-C', place);
  return path.join(place, 'package/bin/node');
}

function output(file: string, ...args: string[]): string {
  return execFileSync(file, args, { encoding: 'utf8' }).trim();
}
