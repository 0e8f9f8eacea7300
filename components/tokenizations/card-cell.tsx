import { Moment } from "@/components/shell/moment";
import type { Tokenization } from "@/lib/tokenizations/contract";
import { cardExpiry, cardName } from "./words";

/** The saved card, or how long its payer still has. */
export function CardCell({ row: { card, status, expires_at } }: { row: Tokenization }) {
  if (card)
    return (
      <span className={status === "revoked" ? "text-kumo-subtle line-through decoration-kumo-line" : ""}>
        {cardName(card)} <span className="text-kumo-subtle tabular-nums">{cardExpiry(card)}</span>
      </span>
    );
  return (
    <span className="text-kumo-subtle">
      {status === "expired" ? "Not saved in time" : "To be saved by "}
      {status !== "expired" && <Moment at={expires_at} time />}
    </span>
  );
}
