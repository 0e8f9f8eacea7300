import { ApiError } from "@/lib/core/errors";
import type { Actor } from "./actor";

/** How long a confirmation of the person's identity counts. Signing in is one. */
export const confirmationMinutes = 10;

export const isRecent = (confirmedAt: Date | null): boolean =>
  confirmedAt !== null && Date.now() - confirmedAt.getTime() < confirmationMinutes * 60_000;

/**
 * A session without the second factor that its business requires reaches only the person's own account, where it is set up.
 * @throws ApiError two_factor_required
 */
export function assertSecondFactor({ session }: Actor, path: string): void {
  if (session?.lacksSecondFactor && !path.startsWith("/account")) throw new ApiError("two_factor_required");
}

/**
 * For actions that a stolen session must not be enough for. An endpoint declares it with `stepUp`; lib/http/handle.ts checks.
 * @throws ApiError confirmation_required for a session whose person has not confirmed their identity in the last minutes
 */
export function assertConfirmed({ session }: Actor): void {
  if (session && !session.confirmed) throw new ApiError("confirmation_required");
}
