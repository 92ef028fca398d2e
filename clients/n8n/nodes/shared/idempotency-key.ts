import { createHash, randomUUID } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

/** Where the first execution's ID is kept. A retry is an execution with another ID, but n8n keeps this data. */
const FIRST_EXECUTION = 'wirebirdFirstExecution';

/**
 * The Idempotency-Key of an item: the same when n8n retries the node or the execution, and different in every
 * other execution, node, run of a loop, and item.
 */
export function idempotencyKey(ctx: IExecuteFunctions, itemIndex: number): string {
  const executionId = firstExecution(ctx);
  // Without an execution, another request could get the same key and would not be sent.
  if (!executionId) return `n8n-${randomUUID()}`;
  const { $runIndex } = ctx.getWorkflowDataProxy(itemIndex);
  const place = [
    ctx.getInstanceId(),
    ctx.getWorkflow().id,
    executionId,
    ctx.getNode().id,
    $runIndex,
    itemIndex,
  ];
  return `n8n-${createHash('sha256').update(JSON.stringify(place)).digest('hex')}`;
}

function firstExecution(ctx: IExecuteFunctions): string {
  const kept = ctx.customData.get(FIRST_EXECUTION);
  if (kept) return kept;
  const executionId = ctx.getExecutionId();
  if (executionId) ctx.customData.set(FIRST_EXECUTION, executionId);
  return executionId;
}
