export { handleAuthRequest as GET, handleAuthRequest as POST } from '#server/dashboard/handle-auth.ts';
