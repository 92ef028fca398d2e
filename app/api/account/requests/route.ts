export { handleRequestsCsv as GET } from '#server/dashboard/account-csv.ts';
