import { handleDashboardRequest } from '#server/dashboard/handle.ts';

export { handleDashboardRequest as GET, handleDashboardRequest as POST };
