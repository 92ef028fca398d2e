/** `node testing-client.ts <dir>`: uses the embedded server of a directory until asked to release it. */
import { ensurePostgres } from '#server/platform/embedded/postgres.ts';

const server = await ensurePostgres(process.argv[2] ?? '', { port: 0 });
process.send?.({ url: server.url, serverPid: server.pid, started: server.started });
process.on('message', async (order: { share?: number; release?: boolean }) => {
  if (order.share) {
    server.share(order.share);
    process.send?.('shared');
  }
  if (order.release) {
    await server.release();
    process.disconnect();
  }
});
