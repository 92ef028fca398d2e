import type { TestProject } from 'vitest/node';
import { freePort } from '../../e2e/stack.ts';
import { startProduct } from './product.ts';
import { NUMBERS } from './shares.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const receiverPorts = { typescript: await freePort(), python: await freePort() };
  const webhookHosts = Object.values(receiverPorts)
    .map((port) => `127.0.0.1:${port}`)
    .join();
  const product = await startProduct({ numbers: NUMBERS, webhookHosts });
  const { baseUrl, control, numbers } = product;
  project.provide('product', { baseUrl, control, numbers, receiverPorts });
  return () => product.stop();
}
