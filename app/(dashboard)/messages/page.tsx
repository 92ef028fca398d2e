/** The list alone; it is in the layout. */
export default function MessagesPage() {
  return null;
}
