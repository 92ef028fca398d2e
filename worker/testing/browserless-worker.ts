/** The worker process over a network without browsers: `node browserless-worker.ts <port of the network>`. */
import { runWorker } from '../run-worker.ts';
import { remoteEngine, sweepRemote } from './remote-engine.ts';

const port = Number(process.argv[2]);

await runWorker(async () => ({
  engine: remoteEngine(port),
  networkArgs: () => [],
  prepareProfile: (profileDir) => sweepRemote(port, profileDir),
  described: { network: port },
}));
