import { execFile, execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { childEnvironment } from '#server/settings.ts';

const READY_WITHIN_MS = 240_000;
const LOG_LINES = 60;
/** What a container may do at most: nothing but write to its volume and to /tmp. */
const CONFINED = [
  ...['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
  ...['--network', 'host'],
];
/** An older kernel's cgroups need runc, and a machine without a service manager its own limits. */
const CONTAINERS_CONF = `[containers]
default_ulimits = ["nofile=8192:8192", "nproc=8192:8192"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
`;
/** Containers that find each other by name; needs netavark and aardvark-dns. */
const NETWORKS = `[network]
network_backend = "netavark"
`;

export interface Start {
  image: string;
  /** The volume at `/data`. */
  volume?: string;
  environment: Record<string, string>;
  /** More options of `podman run`. */
  options?: string[];
  command?: string[];
}

/** podman; with a `place`, its images and volumes are below that directory. */
export class Podman {
  readonly #env: NodeJS.ProcessEnv;

  constructor(place?: string, { networks = false } = {}) {
    this.#env = childEnvironment(place === undefined ? {} : this.#ownStorage(place, networks));
  }

  #ownStorage(place: string, networks: boolean): Record<string, string> {
    const containers = path.join(place, networks ? 'containers-networks.conf' : 'containers.conf');
    const storage = path.join(place, 'storage.conf');
    fs.mkdirSync(place, { recursive: true });
    fs.writeFileSync(containers, networks ? CONTAINERS_CONF + NETWORKS : CONTAINERS_CONF);
    fs.writeFileSync(
      storage,
      `[storage]\ndriver = "overlay"\ngraphroot = "${place}/storage"\nrunroot = "${place}/run"\n`,
    );
    return {
      CONTAINERS_CONF: containers,
      CONTAINERS_STORAGE_CONF: storage,
      // Health checks are run by this class, not by a timer of systemd.
      DISABLE_HC_SYSTEMD: 'true',
    };
  }

  /** Runs podman and returns its output. Throws if it fails. */
  output(...args: string[]): string {
    const options = { env: this.#env, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 } as const;
    return execFileSync('podman', args, options).trim();
  }

  /** As {@link output}, while this process continues. */
  async run(...args: string[]): Promise<string> {
    return (await promisify(execFile)('podman', args, { env: this.#env })).stdout.trim();
  }

  /** Runs podman and shows its output. Throws if it fails. */
  show(...args: string[]): void {
    execFileSync('podman', args, { env: this.#env, stdio: ['ignore', 'inherit', 'inherit'] });
  }

  /** The exit code and everything that it printed. */
  attempt(...args: string[]): { code: number | null; said: string } {
    const { status, stdout, stderr } = spawnSync('podman', args, { env: this.#env, encoding: 'utf8' });
    return { code: status, said: `${stdout}${stderr}` };
  }

  /** Runs podman-compose. Throws with its output, which contains the secrets, if it fails. */
  compose(environment: Record<string, string>, ...args: string[]): void {
    const options = {
      env: { ...this.#env, ...environment },
      encoding: 'utf8',
      maxBuffer: 64 * 2 ** 20,
    } as const;
    const { status, stdout, stderr } = spawnSync('podman-compose', args, options);
    if (status !== 0) throw new Error(`podman-compose ended with ${status}:\n${stdout}${stderr}`);
  }

  /** The arguments of `podman run` for a confined container. */
  arguments({ image, volume, environment, options = [], command = [] }: Start): string[] {
    const variables = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    const mounts = volume === undefined ? [] : ['--volume', `${volume}:/data`];
    return [...CONFINED, ...options, ...mounts, ...variables, image, ...command];
  }

  /** Starts a container in the background, and replaces one of that name. */
  start(name: string, given: Start): void {
    this.remove(name);
    this.output('run', '--detach', '--name', name, ...this.arguments(given));
  }

  /** Runs `wirebird cli …` in a running container and returns the JSON that it prints. */
  cli<T = Record<string, unknown>>(name: string, ...args: string[]): T {
    return JSON.parse(this.output('exec', name, 'wirebird', 'cli', ...args));
  }

  /** Waits until the image's own health check passes, and returns the seconds that it took. */
  async untilHealthy(name: string): Promise<number> {
    const began = performance.now();
    while (this.attempt('healthcheck', 'run', name).code !== 0) {
      const running = this.output('inspect', '--format', '{{.State.Running}}', name) === 'true';
      if (!running || performance.now() - began > READY_WITHIN_MS)
        throw new Error(`${name} is not healthy:\n${this.logs(name)}`);
      await delay(500);
    }
    return (performance.now() - began) / 1000;
  }

  logs(name: string): string {
    return this.attempt('logs', '--tail', String(LOG_LINES), name).said;
  }

  /** Stops a container as `podman stop` does. Returns the seconds and the exit code: 137 if it was killed. */
  stop(name: string): { seconds: number; code: number } {
    const began = performance.now();
    this.output('stop', name);
    const seconds = (performance.now() - began) / 1000;
    return { seconds, code: Number(this.output('inspect', '--format', '{{.State.ExitCode}}', name)) };
  }

  remove(...names: string[]): void {
    for (const name of names) this.attempt('rm', '--force', '--time', '10', name);
  }

  removeVolumes(...names: string[]): void {
    for (const name of names) this.attempt('volume', 'rm', '--force', name);
  }
}
