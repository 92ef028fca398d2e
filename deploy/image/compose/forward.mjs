// Makes the loopback ports of the sandbox's container available on the loopback of a worker's container: `serve` runs in
// the first, no argument in the second.
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

const CONTROL = '/sandbox/files/control.json';
const serves = process.argv[2] === 'serve';
const [from, to] = serves ? [os.networkInterfaces().eth0[0].address, '127.0.0.1'] : ['127.0.0.1', 'sandbox'];
while (!fs.existsSync(CONTROL)) await delay(100);
const { url, httpsPort } = JSON.parse(fs.readFileSync(CONTROL, 'utf8'));
for (const port of [Number(new URL(url).port), httpsPort]) {
  const server = net.createServer((inner) => {
    const outer = net.connect(port, to);
    inner.pipe(outer).pipe(inner);
    for (const one of [inner, outer]) {
      one.on('error', () => {});
      one.on('close', () => [inner, outer].map((socket) => socket.destroy()));
    }
  });
  server.listen(port, from);
}
