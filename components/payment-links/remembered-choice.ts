const keyOf = (businessId: number): string => `paydesk-send-email-${businessId}`;

/** Whether this browser's last new link of the business was sent by e-mail; true before the first one. */
export function readSendChoice(businessId: number | undefined): boolean {
  try {
    return businessId === undefined || localStorage.getItem(keyOf(businessId)) !== "no";
  } catch {
    return true; // the browser keeps no data
  }
}

export function saveSendChoice(businessId: number | undefined, send: boolean): void {
  try {
    if (businessId !== undefined) localStorage.setItem(keyOf(businessId), send ? "yes" : "no");
  } catch {
    // The browser keeps no data: the next form has the default.
  }
}
