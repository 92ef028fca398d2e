/**
 * Was the request of this alias refused? One whose message was accepted and then failed or stayed unknown was not: it counts
 * as a message.
 */
export const isRefused = (alias: string) =>
  `(${alias}.error_code is not null and ${alias}.message_id is null)`;
