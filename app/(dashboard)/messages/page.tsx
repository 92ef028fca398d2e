/** Empty: the list is in the layout. */
export default function MessagesPage() {
  return null;
}
