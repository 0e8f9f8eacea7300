"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { ShieldCheckIcon } from "@phosphor-icons/react/dist/ssr/ShieldCheck";
import { ShieldSlashIcon } from "@phosphor-icons/react/dist/ssr/ShieldSlash";
import { useState } from "react";
import { Pill } from "@/components/shell/pill";
import { Sheet } from "@/components/ui/sheet";
import type { Account } from "@/lib/account/contract";
import { BeginTwoFactor } from "./begin-two-factor";
import { EndTwoFactor } from "./end-two-factor";

export function TwoFactor({ account }: { account: Account }) {
  const [open, setOpen] = useState(false);
  // What the sheet is for must not change while it shows the recovery codes.
  const [ending, setEnding] = useState(false);
  const left = account.recovery_codes_left;
  return (
    <div className="grid justify-items-start gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Pill
          label={account.two_factor ? "On" : "Off"}
          icon={account.two_factor ? ShieldCheckIcon : ShieldSlashIcon}
          tone={account.two_factor ? "good" : "quiet"}
        />
        {account.two_factor && (
          <span className="text-base text-kumo-subtle">
            {left === 0
              ? "No recovery code is left."
              : `${left} recovery ${left === 1 ? "code is" : "codes are"} left.`}
          </span>
        )}
      </div>
      <Button
        variant={account.two_factor ? "secondary" : "primary"}
        onClick={() => {
          setEnding(account.two_factor);
          setOpen(true);
        }}
      >
        {account.two_factor ? "Turn off" : "Turn on"}
      </Button>
      <Sheet
        open={open}
        onOpenChange={setOpen}
        title={ending ? "Turn two-factor sign-in off" : "Turn two-factor sign-in on"}
      >
        {ending ? <EndTwoFactor onDone={() => setOpen(false)} /> : <BeginTwoFactor onDone={() => setOpen(false)} />}
      </Sheet>
    </div>
  );
}
