import { put } from './database.ts';
import { createWid, type Wid } from './wid.ts';

/** Pairs of phone number and LID that this page knows. */
const alternates = new Map<string, string>();

export function remember(phone: string, lid: string): void {
  alternates.set(phone, lid);
  alternates.set(lid, phone);
}

export async function learn(phone: string, lid: string): Promise<void> {
  remember(phone, lid);
  await put('lids', phone, { phone, lid });
}

/** The other address of the same person, if it is known. */
export function alternateOf(wid: Wid): Wid | undefined {
  const other = alternates.get(String(wid));
  return other === undefined ? undefined : createWid(other);
}
