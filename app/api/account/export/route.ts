export { handleExport as GET } from '#server/dashboard/export.ts';
