import { memoryOf, processTable, withDescendants } from './engine/process-table.ts';

/** Memory of this process and all that it has started, in bytes; null where the system does not say. */
export async function memoryOfTree(): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  const table = processTable();
  const self = table.filter(({ pid }) => pid === process.pid);
  return memoryOf(withDescendants(self, table));
}
