/**
 * How fast valid requests are answered while many clients hold connections with a byte of headers a second:
 * `node e2e/security/slow-clients.ts`. Prints one JSON value; exits with 1 when the 95th percentile is 500 ms
 * or more.
 */
import { connect, type Socket } from 'node:net';
import process from 'node:process';
import { newNumber } from '../new-number.ts';
import { startStack } from '../stack.ts';

const CLIENTS = 500;
const REQUESTS = 200;
const PAUSE_MS = 100;
const P95_MS_MAX = 500;
const BYTES = 'GET /v1/status HTTP/1.1\r\nHost: x\r\nX-Slow: '.padEnd(400, 'a');

const stack = await startStack({ env: { RATE_READS_PER_MINUTE: '1000000' } });
const timers: NodeJS.Timeout[] = [];
const sockets = new Set<Socket>();
let cutOff = 0;

/** One slow client; when it is cut off it comes back, as an attacker's would. */
function openSlow(host: string, port: number): void {
  let sent = 0;
  const socket = connect(port, host, () => socket.write(BYTES.slice(0, 1)));
  sockets.add(socket);
  const timer = setInterval(() => socket.write(BYTES.charAt(++sent)), 1000);
  timers.push(timer);
  socket.on('error', () => {});
  socket.resume();
  socket.once('close', () => {
    clearInterval(timer);
    if (!sockets.delete(socket)) return;
    cutOff += 1;
    openSlow(host, port);
  });
}

try {
  const owner = { email: 'slow@example.org', password: 'a kingfisher dives at dusk' };
  const instance = await newNumber(stack, { ...owner, numbers: 1 });
  const { key } = await stack.cli<{ key: string }>('key', 'create', '--instance', instance);
  const measure = async () => {
    const times: number[] = [];
    for (let i = 0; i < REQUESTS; i++) {
      const began = performance.now();
      const answer = await fetch(`${stack.url}/v1/status`, { headers: { 'x-api-key': key } });
      await answer.text();
      if (answer.status !== 200) throw new Error(`a valid request was answered with ${answer.status}`);
      times.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    times.sort((a, b) => a - b);
    return Math.round((times[Math.floor(times.length * 0.95)] ?? 0) * 10) / 10;
  };
  const alone = await measure();
  const { hostname, port } = new URL(stack.url);
  for (let i = 0; i < CLIENTS; i++) openSlow(hostname, Number(port));
  const beset = await measure();
  process.stdout.write(
    `${JSON.stringify({ clients: CLIENTS, cutOff, p95MsAlone: alone, p95MsBeset: beset })}\n`,
  );
  if (beset >= P95_MS_MAX) process.exitCode = 1;
} finally {
  for (const timer of timers) clearInterval(timer);
  const open = [...sockets];
  sockets.clear();
  for (const socket of open) socket.destroy();
  await stack.stop();
}
