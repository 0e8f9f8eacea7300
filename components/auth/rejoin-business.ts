import type { Role } from "@/lib/auth/scopes";
import { ApiFailure, call } from "@/lib/client/call";
import { accountEndpoints, businessEndpoints } from "@/lib/resources/account/contract";

/** The user, business and role that the page was rendered for. */
export interface Person {
  userId: string;
  email: string;
  businessId: number;
  role: Role;
}

const me = () => call(accountEndpoints.get, { anyBusiness: true });

/** Whether the session belongs to the page's user, business and role again. */
export async function hasRejoined({ email, businessId, role }: Person): Promise<boolean> {
  const now = await me().catch(() => null);
  return now?.email === email && now.business_id === businessId && now.role === role;
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
    const now = await me();
    if (now.email !== email) return "other";
    const there =
      now.business_id === businessId
        ? now
        : await call(businessEndpoints.enter, { id: String(businessId), anyBusiness: true });
    return there.role === role ? "same" : "other";
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 404) return "other"; // no longer a member
    if (error.status === 401) return "no cookie"; // the browser did not keep the sign-in
    return error;
  }
}
