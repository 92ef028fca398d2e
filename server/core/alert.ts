/** What somebody should know without opening the dashboard. */
export const ALERT_KINDS = [
  'logged_out',
  'blocked',
  'conflict',
  'suspended', // by the administrator
  'health', // WhatsApp restricts it, or it pauses after refusals
  'disconnected', // not connected for 10 minutes
  'recovered', // connected again after one of the above
  'to_decide', // sends again, and the messages that waited need a decision
  'failures', // many messages in a row on one number
  'build_changed', // WhatsApp Web is not what this version knows: its numbers are blocked
  'disk_low', // files of messages are refused
  'disk_full', // the numbers of a worker are disconnected
  'disk_recovered',
  'webhook_off', // an endpoint answered 410 or failed for 3 days
  'plan_7_days',
  'plan_1_day',
  'plan_grace', // paid for no longer, and still working
  'plan_ended',
  'plan_paid', // a payment was recorded
  'waiting_cancelled', // messages that waited when the plan ended or shrank
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];
