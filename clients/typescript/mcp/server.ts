import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import manifest from '../package.json' with { type: 'json' };
import { Wirebird } from '../src/index.ts';
import { runTool, toolsOf } from './tools.ts';

/** Serves the tools of one API key over standard input and output, until the assistant closes them. */
export async function serveMcp(options: { apiKey: string; baseUrl: string; dryRun: boolean }): Promise<void> {
  const wirebird = new Wirebird(options);
  const tools = toolsOf(options);
  const server = new Server({ name: 'wirebird', version: manifest.version }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ run: _run, ...described }) => described),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    return runTool(tool, { wirebird, args: params.arguments ?? {}, signal });
  });
  await server.connect(new StdioServerTransport());
}
