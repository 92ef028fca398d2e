/** Host, port and name of a database, without its user and password. */
export function describeDatabase(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.host}${parsed.pathname}` : 'a database whose address cannot be read';
}
