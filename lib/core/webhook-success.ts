/** Whether the receiver has accepted a webhook: a complete answer with 200 to 299. */
export const isSuccess = ({ status, error }: { status: number | null; error: string | null }): boolean =>
  error === null && status !== null && status >= 200 && status < 300;
