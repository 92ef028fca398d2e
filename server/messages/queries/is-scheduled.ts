/** Whether the message of this alias is scheduled for later. Such a message is not in a lane yet. */
export const isScheduled = (alias: string) => `coalesce(${alias}.send_at > clock_timestamp(), false)`;
