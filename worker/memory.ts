import { memoryOf, processTable, withDescendants } from './engine/process-table.ts';

/** Memory of this process and its descendants, in bytes; null on systems that do not report it. */
export async function memoryOfTree(): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  const table = processTable();
  const self = table.filter(({ pid }) => pid === process.pid);
  return memoryOf(withDescendants(self, table));
}
