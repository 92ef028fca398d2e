import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '#server/platform/db/client.ts';
import { serverAccount } from '#server/platform/embedded/account.ts';
import { findBinaries, POSTGRES_ENVIRONMENT } from '#server/platform/embedded/binaries.ts';
import { dataArgument, databaseUrl, ensureCluster } from '#server/platform/embedded/cluster.ts';
import { homeAt } from '#server/platform/embedded/home.ts';
import { endProcess } from '#server/platform/process/end.ts';
import { processIdentity } from '#server/platform/process/identity.ts';

/** A PostgreSQL that can have standbys; the embedded one cannot. */
export async function startReplicatedServer() {
  const port = await freePort();
  const home = homeAt(fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-replicated-')));
  const account = serverAccount(home);
  const binaries = findBinaries(home, account);
  await ensureCluster(home, binaries, account, []);
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_wal_senders=2',
    'fsync=off',
  ];
  const args = ['-D', dataArgument(home, account), '-p', String(port)];
  const child = spawn(binaries.postgres, [...args, ...settings.flatMap((setting) => ['-c', setting])], {
    ...account,
    cwd: home.data,
    env: POSTGRES_ENVIRONMENT,
    stdio: 'ignore',
  });
  const identity = child.pid === undefined ? '' : (processIdentity(child.pid) ?? '');
  const url = databaseUrl(home, port);
  for (let answers = false; !answers; ) {
    const database = openDatabase(url, 1);
    answers = await database.db.execute('select 1').then(
      () => true,
      () => false,
    );
    await database.close();
    if (!answers) await delay(50);
  }
  return {
    url,
    async stop() {
      await endProcess(identity, 'SIGQUIT', 10_000);
      fs.rmSync(home.root, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  await using probe = net.createServer();
  await once(probe.listen(0, '127.0.0.1'), 'listening');
  return (probe.address() as net.AddressInfo).port;
}
