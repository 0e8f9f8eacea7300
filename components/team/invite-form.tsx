import { useId } from "react";
import { useTranslations } from "use-intl";
import { useOwnRole } from "@/components/shell/may";
import { contractResolver } from "@/components/ui/contract-form";
import { EmailField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { mayManage, type Role, roles } from "@/lib/auth/scopes";
import { invitationInput } from "@/lib/resources/team/contract";
import { useInvite } from "@/lib/resources/team/queries";

type Values = { email: string; role: Role };
const toBody = ({ email, role }: Values) => ({ email: email.trim(), role });
const resolver = contractResolver<Values>(invitationInput, toBody);

export function InviteForm({ onSent }: { onSent: (email: string) => void }) {
  const own = useOwnRole();
  const t = useTranslations("team.invite");
  const says = useTranslations("team.roles");
  const invite = useInvite();
  const id = useId();
  const form = useSheetForm<Values>({
    resolver,
    defaultValues: { email: "", role: "viewer" },
    fields: ["email", "role"],
    send: async (values, idempotencyKey) => {
      const { email } = await invite.mutateAsync({ ...toBody(values), idempotencyKey });
      onSent(email);
    },
  });
  return (
    <SheetForm label={t("title")} action={t("action")} {...form}>
      <EmailField {...form.field("email")} label={t("email")} />
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-base font-medium text-kumo-default">{t("role")}</legend>
        {roles
          .filter((role) => mayManage(own, role))
          .map((role) => (
            <label
              key={role}
              className="flex cursor-pointer items-start gap-3 rounded-lg px-3 py-2.5 ring ring-kumo-line has-checked:bg-kumo-tint has-checked:ring-kumo-brand"
            >
              <input
                type="radio"
                value={role}
                aria-labelledby={`${id}-${role}`}
                aria-describedby={`${id}-${role}-says`}
                {...form.register("role")}
                className="mt-0.5 size-4 shrink-0 accent-(--color-kumo-brand)"
              />
              <span>
                <span id={`${id}-${role}`} className="block text-base font-medium text-kumo-strong">
                  {says(`${role}.label`)}
                </span>
                <span id={`${id}-${role}-says`} className="block text-sm text-kumo-subtle">
                  {says(`${role}.description`)}
                </span>
              </span>
            </label>
          ))}
      </fieldset>
    </SheetForm>
  );
}
