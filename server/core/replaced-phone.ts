/** What the change of a number's phone number did, once the new one (`phone`, at least its last four digits) is linked. */
export function replacedSentence(phone: string, cancelled: number): string {
  const now = `Its phone number now ends in ${phone.slice(-4)}.`;
  if (cancelled === 0) return `${now} No messages were waiting when it was changed.`;
  return cancelled === 1
    ? `${now} 1 message that waited or was scheduled was cancelled by the change and is not sent later. Open it under Messages, and send it again if it is still needed.`
    : `${now} ${cancelled} messages that waited or were scheduled were cancelled by the change and are not sent later. Open them under Messages, and send again what is still needed.`;
}
