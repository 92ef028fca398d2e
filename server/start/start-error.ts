/** Why the product cannot start, as one line that names the remedy. Ends the start with exit code 1. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
