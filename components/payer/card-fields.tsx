import type { CardErrors, CardField } from "@/lib/payer/card-form";

type Entry = {
  field: CardField;
  label: string;
  hint?: string;
  autoComplete: string;
  placeholder?: string;
  max: number;
};

const entries = {
  number: {
    field: "number",
    label: "Card number",
    autoComplete: "cc-number",
    placeholder: "1234 1234 1234 1234",
    max: 30,
  },
  expiry: { field: "expiry", label: "Expiry date", autoComplete: "cc-exp", placeholder: "MM / YY", max: 9 },
  cvc: { field: "cvc", label: "Security code", autoComplete: "cc-csc", placeholder: "CVC", max: 4 },
  holder: { field: "holder", label: "Name on card", hint: "(optional)", autoComplete: "cc-name", max: 100 },
} as const satisfies Record<CardField, Entry>;

function Field({ entry, value, error }: { entry: Entry; value?: string; error?: string }) {
  const { field, label, hint, autoComplete, placeholder, max } = entry;
  const text = field === "holder";
  return (
    <div className="field">
      <label htmlFor={field}>
        {label} {hint && <span>{hint}</span>}
      </label>
      <input
        id={field}
        name={field}
        type="text"
        inputMode={text ? "text" : "numeric"}
        autoComplete={autoComplete}
        autoCapitalize={text ? "words" : "off"}
        spellCheck={false}
        placeholder={placeholder}
        maxLength={max}
        required={!text}
        defaultValue={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${field}-error` : undefined}
      />
      {error && (
        <p className="error" id={`${field}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

/** Values shown again after a mistake. The card number and security code are never sent back. */
export type EnteredFields = { expiry: string; holder: string };

export function CardFields({ errors, entered }: { errors: CardErrors; entered?: EnteredFields }) {
  return (
    <>
      <Field entry={entries.number} error={errors.number} />
      <div className="pair">
        <Field entry={entries.expiry} error={errors.expiry} value={entered?.expiry} />
        <Field entry={entries.cvc} error={errors.cvc} />
      </div>
      <Field entry={entries.holder} error={errors.holder} value={entered?.holder} />
    </>
  );
}

export function ErrorSummary({ errors }: { errors: CardErrors }) {
  const wrong = Object.entries(errors);
  if (wrong.length === 0) return null;
  return (
    <div className="alert" role="alert">
      <h2>Please check the card details</h2>
      <ul>
        {wrong.map(([field, message]) => (
          <li key={field}>
            <a href={`#${field}`}>{message}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
