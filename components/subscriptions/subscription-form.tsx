import { useRouter } from "next/navigation";
import { useWatch } from "react-hook-form";
import { useTranslations } from "use-intl";
import { CustomerEmailField } from "@/components/customers/customer-email-field";
import { priceWords } from "@/components/packages/words";
import { createPath } from "@/components/shell/creations";
import { useMay } from "@/components/shell/may";
import { contractResolver } from "@/components/ui/contract-form";
import { focusLater, focusPage } from "@/components/ui/focus-later";
import { SelectField, TextField } from "@/components/ui/form-fields";
import { ButtonLink } from "@/components/ui/link";
import { LoadFailure } from "@/components/ui/list/list-frame";
import { SheetForm } from "@/components/ui/sheet-form";
import { useToasts } from "@/components/ui/toasts";
import { useAfterPause } from "@/components/ui/use-after-pause";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { isEmail } from "@/lib/core/email";
import type { FieldErrors } from "@/lib/core/errors";
import { type PackageWithCounts, packageEndpoints } from "@/lib/resources/packages/contract";
import { usePackageChoices } from "@/lib/resources/packages/queries";
import { type Subscription, subscriptionInput } from "@/lib/resources/subscriptions/contract";
import { type SubscriptionBody, useCreateSubscription } from "@/lib/resources/subscriptions/queries";
import { useSavedCard } from "@/lib/resources/tokenizations/queries";
import { useAskDuplicate } from "./ask-duplicate";
import { useFirstChargeWords } from "./first-charge";

const fields = ["package_id", "email", "phone_no"] as const;
type Values = Record<(typeof fields)[number], string>;

const toBody = (values: Values): SubscriptionBody => ({
  package_id: values.package_id,
  email: values.email.trim(),
  phone_no: values.phone_no.trim() || null,
});

function reword(errors: FieldErrors): FieldErrors {
  const { package_id, ...rest } = errors;
  return package_id ? { ...rest, package_id: package_id.map((text) => text.replace("package_id", "package")) } : rest;
}

const resolver = contractResolver<Values>(subscriptionInput, toBody, reword);

/** The router keeps a short scroll of the page before, which would hide the new page's heading under the bars. */
function startPage(): undefined {
  window.scrollTo({ top: 0 });
  focusPage();
}

interface SubscriptionFormProps {
  /** Preselected if customers can subscribe to it. */
  packageId: string | undefined;
  email?: string;
  onCreated: () => void;
}

export function SubscriptionForm({ packageId, email, onCreated }: SubscriptionFormProps) {
  const choices = usePackageChoices();
  const t = useTranslations("subscriptions.form");
  const creates = useMay()(packageEndpoints.create);
  if (choices.isPending)
    return (
      <p role="status" className="p-5 text-base text-kumo-subtle">
        {t("loadingPackages")}
      </p>
    );
  if (choices.isError)
    return (
      <div className="p-5">
        <LoadFailure of="lists.packages" query={choices} />
      </div>
    );
  const active = choices.data.filter(({ status }) => status === "active");
  if (active.length > 0) return <Form packages={active} packageId={packageId} email={email} onCreated={onCreated} />;
  return (
    <div className="grid content-start justify-items-start gap-4 p-5">
      <p className="text-base leading-relaxed text-kumo-subtle">{t("noPackages")}</p>
      <ButtonLink href={creates ? createPath("/packages") : "/packages"} variant="primary">
        {t(creates ? "createPackage" : "goToPackages")}
      </ButtonLink>
    </div>
  );
}

interface FormProps extends Pick<SubscriptionFormProps, "packageId" | "email" | "onCreated"> {
  packages: PackageWithCounts[];
}

function Form({ packages, packageId, email = "", onCreated }: FormProps) {
  const t = useTranslations("subscriptions.form");
  const prices = useTranslations("packages.price");
  const create = useCreateSubscription();
  const router = useRouter();
  const toasts = useToasts();
  const askDuplicate = useAskDuplicate("form");
  const firstCharge = useFirstChargeWords();
  const { field, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: {
      package_id: packages.find(({ _id }) => _id === packageId)?._id ?? (packages.length === 1 ? packages[0]?._id : ""),
      email,
      phone_no: "",
    },
    fields,
    reword,
    send: (values, idempotencyKey) => {
      const body = toBody(values);
      return askDuplicate({
        email: body.email,
        send: (over) =>
          create.mutateAsync({
            body: { ...body, ...over },
            idempotencyKey: over.allow_duplicate ? `${idempotencyKey}-duplicate` : idempotencyKey,
          }),
        onDone: ({ _id, email, package: pkg }: Subscription) => {
          toasts.add({ title: t("done", { email }), description: firstCharge({ pkg, card, created: true }) });
          onCreated();
          router.push(`/subscriptions/${_id}`);
          focusLater(startPage, "always"); // the button that opened the form is left behind
        },
      });
    },
  });
  const [chosenId, typed] = useWatch({ control: form.control, name: ["package_id", "email"] });
  const customer = useAfterPause(typed.trim());
  const saved = useSavedCard(customer, false, isEmail(customer)).data;
  const card = customer === typed.trim() ? saved : undefined;
  const chosen = packages.find(({ _id }) => _id === chosenId);
  return (
    <SheetForm label={t("label")} action={t("action")} {...form}>
      <SelectField {...field("package_id")} label={t("package")}>
        <option value="">{t("choosePackage")}</option>
        {packages.map((pkg) => (
          <option key={pkg._id} value={pkg._id}>
            {t("packageChoice", { name: pkg.name, price: priceWords(prices, pkg) })}
          </option>
        ))}
      </SelectField>
      <CustomerEmailField {...field("email")} label={t("email")} hint={chosen ? undefined : t("emailHint")} />
      <TextField {...field("phone_no")} label={t("phone")} optional type="tel" />
      <div role="status">
        {chosen && (
          <p className="rounded-lg bg-kumo-recessed px-3 py-2.5 text-base wrap-anywhere text-kumo-default">
            {firstCharge({ pkg: chosen, card, created: false })}
          </p>
        )}
      </div>
    </SheetForm>
  );
}
