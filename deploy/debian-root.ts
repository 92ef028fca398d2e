import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { childEnvironment } from '../server/settings.ts';

const MIRROR = 'http://deb.debian.org';
/** Where a root has this machine's additional certificates. */
export const CERTIFICATES = '/etc/extra-certificates.crt';
/**
 * Makes a directory the root of this process and its children. In a plain chroot Chromium cannot create its
 * sandbox.
 */
const MOVE_IN = [
  'mount --bind "$0" "$0"',
  'mount --rbind /dev "$0/dev"',
  'mount -t proc proc "$0/proc"',
  'cd "$0"',
  'mkdir -p .outside',
  'pivot_root . .outside',
  'umount -l /.outside',
  'exec "$@"',
].join(' && ');

const certificates = childEnvironment().NODE_EXTRA_CA_CERTS;

/** Runs a command on this machine, and shows its output. Throws if it fails. */
export function onHost(file: string, ...args: string[]): void {
  execFileSync(file, args, { stdio: 'inherit' });
}

/**
 * Creates a minimal Debian in `root`, replacing what is there, with this machine's names and certificates. `arch`: for
 * another processor, which needs `qemu-user-static`.
 */
export function makeDebian(root: string, suite: string, arch?: string): void {
  fs.rmSync(root, { recursive: true, force: true });
  onHost(
    'debootstrap',
    '--variant=minbase',
    ...(arch ? [`--arch=${arch}`] : []),
    suite,
    root,
    `${MIRROR}/debian`,
  );
  fs.writeFileSync(
    path.join(root, 'etc/apt/sources.list'),
    `deb ${MIRROR}/debian ${suite} main\ndeb ${MIRROR}/debian ${suite}-updates main\ndeb ${MIRROR}/debian-security ${suite}-security main\n`,
  );
  onHost('cp', '-L', '/etc/resolv.conf', '/etc/hosts', path.join(root, 'etc'));
  if (certificates) onHost('cp', '-L', certificates, path.join(root, CERTIFICATES));
}

/**
 * Arguments of `unshare` that run a command in a root with only this environment; mounts end with the process.
 */
export function inRoot(
  root: string,
  env: Record<string, string>,
  command: string[],
  { user = 'root' } = {},
): string[] {
  const all = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    DEBIAN_FRONTEND: 'noninteractive',
    ...(certificates && { NODE_EXTRA_CA_CERTS: CERTIFICATES }),
    ...env,
  };
  const words = Object.entries(all).map(([name, value]) => `${name}=${value}`);
  const asUser = user === 'root' ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups'];
  return ['--mount', 'sh', '-c', MOVE_IN, root, ...asUser, '/usr/bin/env', '-i', ...words, ...command];
}
