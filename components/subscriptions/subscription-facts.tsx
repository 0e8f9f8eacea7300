"use client";

import { Button } from "@cloudflare/kumo/components/button";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { priceWords } from "@/components/packages/words";
import { Moment } from "@/components/shell/moment";
import { CreateTokenization } from "@/components/tokenizations/create-tokenization";
import { cardExpiry, cardName } from "@/components/tokenizations/words";
import { Sheet } from "@/components/ui/sheet";
import type { Subscription } from "@/lib/subscriptions/contract";
import type { SavedCard } from "@/lib/tokenizations/queries";

interface SubscriptionFactsProps {
  subscription: Subscription;
  /** Undefined while it is not known. */
  card: SavedCard | null | undefined;
  canWrite: boolean;
}

export function SubscriptionFacts({ subscription, card, canWrite }: SubscriptionFactsProps) {
  const { email, phone_no, package: pkg, package_id, current_period_start, current_period_end } = subscription;
  const [asking, setAsking] = useState(false);
  const ended = subscription.status === "cancel" || subscription.status === "completed";
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 px-4 py-4 xl:grid-cols-4">
      <Fact term="Package">
        <Link
          href={`/subscriptions?package_id=${package_id}`}
          className="underline decoration-kumo-line underline-offset-4 hover:decoration-current"
        >
          {pkg.name}
        </Link>
        <span className="block text-kumo-subtle">{priceWords(pkg)}</span>
      </Fact>
      <Fact term="Card">
        {card === undefined ? <span className="text-kumo-subtle">…</span> : null}
        {card === null && <span className="block">No card saved</span>}
        {card && (
          <span className="block">
            {cardName(card)} <span className="text-kumo-subtle tabular-nums">{cardExpiry(card)}</span>
          </span>
        )}
        {canWrite && card !== undefined && !ended && (
          <Button
            variant="ghost"
            size="sm"
            className="-ml-2 !text-(--ink-brand) underline-offset-4 hover:underline"
            onClick={() => setAsking(true)}
          >
            {card ? "Ask for another card" : "Ask for a card"}
          </Button>
        )}
      </Fact>
      <Fact term="Current period">
        {current_period_start && current_period_end ? (
          <>
            <Moment at={current_period_start} /> – <Moment at={current_period_end} />
          </>
        ) : (
          <span className="text-kumo-subtle">None has begun</span>
        )}
      </Fact>
      <Fact term="Phone">{phone_no ?? <span className="text-kumo-subtle">Not given</span>}</Fact>
      <Sheet open={asking} onOpenChange={setAsking} title="Ask for a card">
        <CreateTokenization
          initial={{
            email,
            title: `Card for ${[...pkg.name].slice(0, 41).join("")}`,
            description: `Charged for your subscription: ${priceWords(pkg)}.`,
          }}
          onDone={() => setAsking(false)}
        />
      </Sheet>
    </dl>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-kumo-subtle">{term}</dt>
      <dd className="mt-0.5 min-w-0 text-base wrap-anywhere text-kumo-default">{children}</dd>
    </div>
  );
}
