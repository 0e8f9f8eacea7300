import { ShieldCheckIcon } from "@phosphor-icons/react/dist/ssr/ShieldCheck";
import { ShieldSlashIcon } from "@phosphor-icons/react/dist/ssr/ShieldSlash";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import { onDemand } from "@/components/ui/on-demand";
import { Pill } from "@/components/ui/pill";
import type { Account } from "@/lib/resources/account/contract";

const BeginTwoFactor = onDemand(() => import("./begin-two-factor").then(({ BeginTwoFactor }) => BeginTwoFactor));
const EndTwoFactor = onDemand(() => import("./end-two-factor").then(({ EndTwoFactor }) => EndTwoFactor));

export function TwoFactor({ account }: { account: Account }) {
  const t = useTranslations("account.twoFactor");
  const { openSheet } = useDialogs();
  const left = account.recovery_codes_left;
  return (
    <div className="grid justify-items-start gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Pill
          label={t(account.two_factor ? "on" : "off")}
          icon={account.two_factor ? ShieldCheckIcon : ShieldSlashIcon}
          tone={account.two_factor ? "good" : "quiet"}
        />
        {(account.two_factor || account.passkeys > 0) && (
          <span className="text-base text-kumo-subtle">{t("left", { left })}</span>
        )}
      </div>
      <Button
        variant={account.two_factor ? "secondary" : "primary"}
        onClick={() =>
          openSheet({
            title: t(account.two_factor ? "titleOff" : "titleOn"),
            content: (close) =>
              account.two_factor ? (
                <EndTwoFactor hasPasskey={account.passkeys > 0} onDone={close} />
              ) : (
                <BeginTwoFactor onDone={close} />
              ),
          })
        }
      >
        {t(account.two_factor ? "turnOff" : "turnOn")}
      </Button>
    </div>
  );
}
