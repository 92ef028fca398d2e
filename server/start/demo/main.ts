/**
 * `node server/start/demo/main.ts <address of the API> <address of the dashboard>`: creates what the demo needs in
 * the running product, posts one message of each type and prints the answers. Exits with 1 if an answer is not
 * 200.
 */
import { EXAMPLE_TO, exampleRequest } from '#server/core/examples.ts';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import { escapeControls } from '#server/core/printable.ts';
import { database } from '#server/platform/db/client.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { sandboxClient } from '#server/sandbox/client.ts';
import { sampleFiles } from '#server/sandbox/sample-files.ts';
import { settings } from '#server/settings.ts';
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
  for (const type of MESSAGE_TYPES) {
    const answer = await fetch(`${base}/v1/messages/${type}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(exampleRequest(type, sampleFiles())),
    });
    console.log(
      `  POST /v1/messages/${type.padEnd(8)}  ${answer.status}  ${escapeControls(await answer.text())}`,
    );
    allSent &&= answer.status === 200;
  }
  return allSent;
}

/** A command line that sends a text when it is pasted into a shell. */
function curlCommand(base: string, key: string): string {
  return [
    `curl -X POST ${base}/v1/messages/text`,
    `-H "Authorization: Bearer ${key}"`,
    '-H "Content-Type: application/json"',
    `-d '${JSON.stringify({ to: EXAMPLE_TO, body: 'Hello from curl' })}'`,
  ].join(' \\\n  ');
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
