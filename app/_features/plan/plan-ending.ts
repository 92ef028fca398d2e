/** What happens when a plan that ends soon is not paid, and when. */
export const planEnding = (ends: string) =>
  `The plan ends on ${ends}, unless a payment is recorded. Then nothing is sent.`;
