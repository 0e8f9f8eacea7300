import type { ComponentProps, ComponentType } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { EmailInput, Field, type FieldProps, NativeSelect, TextArea, TextInput } from "./field";

type FormFieldProps = Pick<FieldProps, "label" | "error" | "hint" | "optional" | "aside"> & {
  /** From `field` of `useSheetForm`, with the error, or from react-hook-form's `register`. */
  input: UseFormRegisterReturn & { defaultValue?: string };
};

export const formField = <Props extends object>(Control: ComponentType<Props>) =>
  function FormField({ label, error, hint, optional, aside, input, ...props }: FormFieldProps & Props) {
    return (
      <Field label={label} error={error} hint={hint} optional={optional} aside={aside}>
        {(control) => <Control {...control} {...input} {...(props as unknown as Props)} />}
      </Field>
    );
  };

export const TextField = formField((props: ComponentProps<"input">) => <TextInput autoComplete="off" {...props} />);
export const EmailField = formField(EmailInput);
export const TextAreaField = formField(TextArea);
export const SelectField = formField<ComponentProps<"select">>(NativeSelect);
