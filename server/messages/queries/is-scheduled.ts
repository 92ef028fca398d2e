/** Is the message of this alias scheduled for later? It is not in a lane yet. */
export const isScheduled = (alias: string) => `coalesce(${alias}.send_at > clock_timestamp(), false)`;
