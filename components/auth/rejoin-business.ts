import type { Role } from "@/lib/auth/scopes";
import { ApiFailure } from "@/lib/client/api-failure";
import { call } from "@/lib/client/call";
import { accountEndpoints, businessEndpoints } from "@/lib/resources/account/contract";

export interface Person {
  userId: string;
  email: string;
  businessId: number;
  role: Role;
}

const fetchAccount = () => call(accountEndpoints.get, { anyBusiness: true });

export async function hasRejoined({ email, businessId, role }: Person): Promise<boolean> {
  const account = await fetchAccount().catch(() => null);
  return account?.email === email && account.business_id === businessId && account.role === role;
}

/**
 * Switches the new session to the page's business.
 * @returns "other" if the user, or their role in the business, differs from the page's
 */
export async function rejoinBusiness({
  email,
  businessId,
  role,
}: Person): Promise<"same" | "other" | "no cookie" | ApiFailure> {
  try {
    const account = await fetchAccount();
    if (account.email !== email) return "other";
    const entered =
      account.business_id === businessId
        ? account
        : await call(businessEndpoints.enter, { id: String(businessId), anyBusiness: true });
    return entered.role === role ? "same" : "other";
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 404) return "other"; // no longer a member
    if (error.status === 401) return "no cookie"; // the browser did not keep the sign-in
    return error;
  }
}
