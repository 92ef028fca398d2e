/**
 * Whether the request of this alias was refused. A request whose message was accepted and then failed or stayed
 * unknown was not refused: it counts as a message.
 */
export const isRefused = (alias: string) =>
  `(${alias}.error_code is not null and ${alias}.message_id is null)`;
