/** The proof that a worker may act for a number: every write and every dispatch carries it. */
export interface Holding {
  numberId: string;
  workerId: string;
  fence: number;
}
