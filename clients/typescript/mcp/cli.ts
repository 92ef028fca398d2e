#!/usr/bin/env node
import { serveMcp } from './server.ts';

const USAGE = `Usage: WIREBIRD_API_KEY=wsk_… WIREBIRD_URL=https://… npx wirebird mcp [--send]

Serves the tools of one API key to an assistant (Model Context Protocol, over standard input and output).
Without --send every message is a dry run: it is checked, and nothing is sent.`;

const [command, ...flags] = process.argv.slice(2);
// biome-ignore lint/style/noProcessEnv: the client is configured by its environment
const { WIREBIRD_API_KEY: apiKey, WIREBIRD_URL: baseUrl } = process.env;
const known = flags.every((flag) => flag === '--send');

if (command === 'mcp' && known && apiKey && baseUrl) {
  await serveMcp({ apiKey, baseUrl, dryRun: !flags.includes('--send') });
} else {
  // Standard output belongs to the protocol.
  console.error(USAGE);
  process.exitCode = 1;
}
