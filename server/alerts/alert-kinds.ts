import type { AlertKind } from '#server/core/alerts.ts';
import * as kinds from './kinds/index.ts';
import type { AlertDescriptor } from './kinds/kind.ts';

/** Every kind that this version knows. During an upgrade, the database may already hold others. */
export const KINDS: Readonly<Record<AlertKind, AlertDescriptor>> = kinds;
const ENTRIES = Object.entries(KINDS) as [AlertKind, AlertDescriptor][];

/** Each value that kinds have, such as a query, with its kinds. */
export function kindsBy<Value>(
  valuesOf: (kind: AlertDescriptor) => readonly (Value | undefined)[],
): Map<Value, AlertKind[]> {
  const by = new Map<Value, AlertKind[]>();
  for (const [name, kind] of ENTRIES)
    for (const value of valuesOf(kind))
      if (value !== undefined) by.set(value, [...(by.get(value) ?? []), name]);
  return by;
}

const kindsWhere = (is: (kind: AlertDescriptor) => boolean): AlertKind[] =>
  ENTRIES.flatMap(([name, kind]) => (is(kind) ? name : []));

export const ALERT_KINDS = kindsWhere(() => true);
/** Kinds that an account's own members see. */
export const MEMBERS_ALERTS = kindsWhere(({ only }) => only !== 'administrators');
/** Kinds that are mailed to administrators, whether they are members or not. */
export const ADMINISTRATORS_ALERTS = kindsWhere(({ only }) => only !== 'members');
