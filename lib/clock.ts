/** Where business time comes from. Nothing in the domain asks the system for it. */
export const clock = { now: (): Date => new Date() };
