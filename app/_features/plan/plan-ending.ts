/** What happens when a plan that ends soon is not paid, and when. */
export const planEnding = (ends: string) =>
  `Without a payment the plan ends on ${ends}. After that, nothing is sent.`;
