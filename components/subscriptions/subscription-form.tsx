"use client";

import { buttonVariants } from "@cloudflare/kumo/components/button";
import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { priceWords } from "@/components/packages/words";
import { LoadFailure } from "@/components/shell/list/list-frame";
import { SheetForm } from "@/components/shell/sheet-form";
import { useSheetForm } from "@/components/shell/use-sheet-form";
import { contractResolver } from "@/components/ui/contract-form";
import { Field, NativeSelect, TextInput } from "@/components/ui/field";
import type { FieldErrors } from "@/lib/api/errors";
import type { PackageWithCounts } from "@/lib/packages/contract";
import type { usePackageChoices } from "@/lib/packages/queries";
import { subscriptionInput } from "@/lib/subscriptions/contract";
import { type SubscriptionBody, useCreateSubscription } from "@/lib/subscriptions/queries";

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

interface SubscriptionFormProps {
  choices: ReturnType<typeof usePackageChoices>;
  /** The one to begin with, if it can be subscribed to. */
  packageId: string | undefined;
  onCreated: () => void;
}

/** Package, e-mail and phone; or what to do first, when there is no package to subscribe to. */
export function SubscriptionForm({ choices, packageId, onCreated }: SubscriptionFormProps) {
  if (choices.isPending)
    return (
      <p role="status" className="p-5 text-base text-kumo-subtle">
        Loading the packages …
      </p>
    );
  if (choices.isError)
    return (
      <div className="p-5">
        <LoadFailure what="packages" query={choices} />
      </div>
    );
  const active = choices.data.filter(({ status }) => status === "active");
  if (active.length > 0) return <Form packages={active} packageId={packageId} onCreated={onCreated} />;
  return (
    <div className="grid content-start justify-items-start gap-4 p-5">
      <p className="text-base leading-relaxed text-kumo-subtle">
        There is no active package to subscribe to. A package says what is charged, and how often: create one first.
      </p>
      <Link href="/packages" className={buttonVariants({ variant: "primary" })}>
        Go to the packages
      </Link>
    </div>
  );
}

interface FormProps extends Pick<SubscriptionFormProps, "packageId" | "onCreated"> {
  packages: PackageWithCounts[];
}

function Form({ packages, packageId, onCreated }: FormProps) {
  const create = useCreateSubscription();
  const router = useRouter();
  const toasts = useKumoToastManager();
  const { register, errorOf, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: {
      package_id: packages.find(({ _id }) => _id === packageId)?._id ?? (packages.length === 1 ? packages[0]?._id : ""),
      email: "",
      phone_no: "",
    },
    fields,
    reword,
    send: async (values, idempotencyKey) => {
      const { _id, email } = await create.mutateAsync({ body: toBody(values), idempotencyKey });
      toasts.add({ title: `Subscribed: ${email}` });
      onCreated();
      router.push(`/subscriptions/${_id}`);
    },
  });
  return (
    <SheetForm
      label="New subscription"
      action="Create subscription"
      problem={form.problem}
      busy={form.busy}
      onSubmit={form.onSubmit}
    >
      <Field label="Package" error={errorOf("package_id")}>
        {(control) => (
          <NativeSelect {...control} {...register("package_id")}>
            <option value="">Choose a package</option>
            {packages.map((pkg) => (
              <option key={pkg._id} value={pkg._id}>
                {pkg.name}, {priceWords(pkg)}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
      <Field
        label="Customer’s e-mail"
        error={errorOf("email")}
        hint="A card that was saved for this e-mail is charged; without one, every period waits to be paid on its page."
      >
        {(control) => (
          <TextInput
            {...control}
            {...register("email")}
            type="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Field label="Phone" optional error={errorOf("phone_no")}>
        {(control) => <TextInput {...control} {...register("phone_no")} type="tel" autoComplete="off" />}
      </Field>
    </SheetForm>
  );
}
