import type { Row } from './row.ts';
import { BUILD_ROWS } from './rows-builds.ts';
import { CANCELLED_ROWS } from './rows-cancelled.ts';
import { DATABASE_ROWS } from './rows-database.ts';
import { DISK_ROWS } from './rows-disk.ts';
import { FLEET_ROWS } from './rows-fleet.ts';
import { LATE_ROWS } from './rows-late.ts';
import { LINE_ROWS } from './rows-lines.ts';
import { LINKED_AGAIN_ROWS } from './rows-linked-again.ts';
import { MEDIA_ROWS } from './rows-media.ts';
import { PROCESS_ROWS } from './rows-processes.ts';
import { REFUSED_ROWS } from './rows-refused.ts';
import { ROOM_ROWS } from './rows-room.ts';
import { SESSION_ROWS } from './rows-sessions.ts';
import { VERSION_ROWS } from './rows-versions.ts';
import { WAITING_ROWS } from './rows-waiting.ts';
import { WEBHOOK_ROWS } from './rows-webhooks.ts';

/** The fault rows, in the order of their run. */
export const ROWS: readonly Row[] = [
  ...PROCESS_ROWS,
  ...SESSION_ROWS,
  ...LINE_ROWS,
  ...LATE_ROWS,
  ...REFUSED_ROWS,
  ...BUILD_ROWS,
  ...MEDIA_ROWS,
  ...DISK_ROWS,
  ...DATABASE_ROWS,
  ...ROOM_ROWS,
  ...CANCELLED_ROWS,
  ...LINKED_AGAIN_ROWS,
  ...FLEET_ROWS,
  ...VERSION_ROWS,
  ...WEBHOOK_ROWS,
  // Last: it creates many numbers, which later rows would have to run too.
  ...WAITING_ROWS,
];
