import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, useId, useState } from "react";
import { useMay } from "@/components/shell/may";
import { EmailField } from "@/components/ui/form-fields";
import { useAfterPause } from "@/components/ui/use-after-pause";
import { lowerAscii } from "@/lib/core/email";
import { customerEndpoints } from "@/lib/resources/customers/contract";
import { customersQueryOptions } from "@/lib/resources/customers/queries";

const minLength = 2;

/** An e-mail field that offers the customers whose name or address matches the typed text. Without an answer, it offers none. */
export function CustomerEmailField(props: ComponentProps<typeof EmailField>) {
  const id = useId();
  const offers = useMay()(customerEndpoints.list) && !props.readOnly;
  const [typed, setTyped] = useState("");
  const q = useAfterPause(typed);
  const searches = offers && q.length >= minLength;
  const { data } = useQuery({
    ...customersQueryOptions({ q, per_page: "5" }),
    enabled: searches,
    retry: false, // the next letter asks again
    staleTime: 60_000,
  });
  const found = searches ? (data?.rows ?? []) : [];
  const isFound = (address: string) => found.some(({ email }) => email === lowerAscii(address));
  return (
    <>
      <EmailField
        {...props}
        list={offers ? id : undefined}
        onInput={({ currentTarget: { value } }) => setTyped(isFound(value) ? "" : value.trim())}
      />
      {offers && (
        <datalist id={id}>
          {found.map(
            ({ _id, email, name, changed_to }) =>
              changed_to === null && (
                // Firefox shows and searches the label alone, so it has the address, too.
                <option key={_id} value={email} label={name === null ? undefined : `${name} · ${email}`} />
              ),
          )}
        </datalist>
      )}
    </>
  );
}
