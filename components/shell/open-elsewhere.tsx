import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { useToasts } from "@/components/ui/toasts";
import { mayLeave, stay } from "@/components/ui/unsaved";
import { useEnterBusiness, useOwnBusinesses } from "@/lib/resources/account/queries";
import { useSettings } from "@/lib/resources/settings/queries";
import { useMode } from "./may";
import { switchMode } from "./mode";

export function NotFoundText() {
  const t = useTranslations("shell.elsewhere.notIn");
  return t(useMode(), { business: useSettings().data?.name ?? "" });
}

export function OpenElsewhere({ children }: { children: ReactNode }) {
  const t = useTranslations("shell.elsewhere.look");
  const others = useOwnBusinesses().data?.rows.filter(({ current }) => !current) ?? [];
  const [enter, entering] = useSwitchBusiness();
  const other = useMode() === "test" ? "live" : "test";
  const here = () => `${window.location.pathname}${window.location.search}`;
  return (
    <div className="flex max-w-full flex-wrap justify-center gap-2">
      <Button variant="secondary" onClick={() => switchMode(other, here())}>
        {t(other)}
      </Button>
      {others.map(({ _id, name }) => (
        <Button
          key={_id}
          variant="secondary"
          className="max-w-full"
          loading={entering === _id}
          onClick={() => void enter(_id, here())}
        >
          <span className="truncate">{t("business", { business: name })}</span>
        </Button>
      ))}
      {children}
    </div>
  );
}

/**
 * @returns how to switch business and open an address there, after a question about unsaved changes, and the business that
 * is being switched to
 */
export function useSwitchBusiness(): [(id: string, address: string) => Promise<void>, string | null] {
  const t = useTranslations("shell.elsewhere");
  const { mutateAsync, isPending, variables } = useEnterBusiness();
  const toasts = useToasts();
  async function enter(id: string, address: string): Promise<void> {
    if (!(await mayLeave())) return;
    try {
      await mutateAsync(id); // its caller may be a menu that has closed
      // A full page load drops everything that was fetched for the other business.
      window.location.assign(address);
    } catch (error) {
      stay();
      toasts.failed(t("failed"), error as Error);
    }
  }
  return [enter, isPending ? (variables ?? null) : null];
}
