"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { ShieldCheckIcon } from "@phosphor-icons/react/dist/ssr/ShieldCheck";
import { ShieldSlashIcon } from "@phosphor-icons/react/dist/ssr/ShieldSlash";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { Pill } from "@/components/ui/pill";
import { Sheet } from "@/components/ui/sheet";
import { sheetPart } from "@/components/ui/sheet-part";
import type { Account } from "@/lib/resources/account/contract";

const BeginTwoFactor = sheetPart(() => import("./begin-two-factor").then(({ BeginTwoFactor }) => BeginTwoFactor));
const EndTwoFactor = sheetPart(() => import("./end-two-factor").then(({ EndTwoFactor }) => EndTwoFactor));

export function TwoFactor({ account }: { account: Account }) {
  const t = useTranslations("account.twoFactor");
  const [open, setOpen] = useState(false);
  // What the sheet is for must not change while it shows the recovery codes.
  const [ending, setEnding] = useState(false);
  const left = account.recovery_codes_left;
  return (
    <div className="grid justify-items-start gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Pill
          label={t(account.two_factor ? "on" : "off")}
          icon={account.two_factor ? ShieldCheckIcon : ShieldSlashIcon}
          tone={account.two_factor ? "good" : "quiet"}
        />
        {account.two_factor && <span className="text-base text-kumo-subtle">{t("left", { left })}</span>}
      </div>
      <Button
        variant={account.two_factor ? "secondary" : "primary"}
        onClick={() => {
          setEnding(account.two_factor);
          setOpen(true);
        }}
      >
        {t(account.two_factor ? "turnOff" : "turnOn")}
      </Button>
      <Sheet open={open} onOpenChange={setOpen} title={t(ending ? "titleOff" : "titleOn")}>
        {ending ? <EndTwoFactor onDone={() => setOpen(false)} /> : <BeginTwoFactor onDone={() => setOpen(false)} />}
      </Sheet>
    </div>
  );
}
