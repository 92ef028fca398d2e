/**
 * `node server/start/demo/main.ts <address of the API> <of the dashboard>`, beside a running product: makes what the demo needs, posts one
 * message of each kind and prints what was answered. Ends with 1 when an answer was not 200.
 */
import { escapeControls } from '#server/core/printable.ts';
import { database } from '#server/platform/db/client.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { sandboxClient } from '#server/sandbox/client.ts';
import { readControlFile } from '#server/sandbox/control-file.ts';
import { settings } from '#server/settings.ts';
import { curlCommand, demoMessages } from './messages.ts';
import { type Demo, setUpDemo } from './set-up.ts';

const [base = '', dashboard = ''] = process.argv.slice(2);

async function demonstrate(): Promise<boolean> {
  console.log('Demo: creating an account with a plan, a connected sandbox number and a key …');
  const demo = await setUpDemo(database(), settings.dataDir);
  const { phoneNumber, sendIntervalSeconds } = demo.number;
  console.log(`One message of each kind from ${phoneNumber}, at least ${sendIntervalSeconds} s apart:\n`);
  const allSent = await sendAll(demo);
  const delivered = await sandboxClient().inbox({ phone: phoneNumber ?? '' });
  console.log(`\nThe virtual phone has delivered ${delivered.length} messages so far.`);
  console.log('\nSend one yourself:\n');
  console.log(curlCommand(base, demo.key));
  if (demo.password) {
    console.log(`\nSee them in the dashboard: ${dashboard}, ${demo.email}, password ${demo.password}\n`);
  }
  return allSent;
}

async function sendAll({ key }: Demo): Promise<boolean> {
  let allSent = true;
  for (const [kind, body] of Object.entries(demoMessages(readControlFile().samples))) {
    const answer = await fetch(`${base}/v1/messages/${kind}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    console.log(
      `  POST /v1/messages/${kind.padEnd(8)}  ${answer.status}  ${escapeControls(await answer.text())}`,
    );
    allSent &&= answer.status === 200;
  }
  return allSent;
}

try {
  process.exitCode = (await demonstrate()) ? 0 : 1;
} catch (error) {
  console.error(`The demo cannot continue: ${escapeControls((error as Error).message)}`);
  process.exitCode = 1;
} finally {
  await stopClientBoss();
  await database().close();
}
