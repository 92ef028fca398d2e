export { handleMessagesCsv as GET } from '#server/dashboard/account-csv.ts';
