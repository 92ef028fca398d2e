export { handlePaymentsCsv as GET } from '#server/dashboard/payments-csv.ts';
