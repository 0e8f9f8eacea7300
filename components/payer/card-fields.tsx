import type { CardErrors, CardField } from "@/lib/payer/card-form";
import type { PayerTexts } from "@/messages/payer/texts";

type Entry = {
  field: CardField;
  autoComplete: string;
  max: number;
};

const entries = {
  number: { field: "number", autoComplete: "cc-number", max: 30 },
  expiry: { field: "expiry", autoComplete: "cc-exp", max: 9 },
  cvc: { field: "cvc", autoComplete: "cc-csc", max: 4 },
  holder: { field: "holder", autoComplete: "cc-name", max: 100 },
} as const satisfies Record<CardField, Entry>;

const placeholderOf = (t: PayerTexts, field: CardField): string | undefined =>
  ({ number: "1234 1234 1234 1234", expiry: t.fields.expiryExample, cvc: "CVC", holder: undefined })[field];

interface FieldProps {
  t: PayerTexts;
  entry: Entry;
  value?: string;
  error?: string;
}

function Field({ t, entry, value, error }: FieldProps) {
  const { field, autoComplete, max } = entry;
  const text = field === "holder";
  return (
    <div className="field">
      <label htmlFor={field}>
        {t.fields[field]} {text && <span>{t.fields.optional}</span>}
      </label>
      <input
        id={field}
        name={field}
        type="text"
        inputMode={text ? "text" : "numeric"}
        autoComplete={autoComplete}
        autoCapitalize={text ? "words" : "off"}
        spellCheck={false}
        placeholder={placeholderOf(t, field)}
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

export function CardFields({ t, errors, entered }: { t: PayerTexts; errors: CardErrors; entered?: EnteredFields }) {
  return (
    <>
      <Field t={t} entry={entries.number} error={errors.number} />
      <div className="pair">
        <Field t={t} entry={entries.expiry} error={errors.expiry} value={entered?.expiry} />
        <Field t={t} entry={entries.cvc} error={errors.cvc} />
      </div>
      <Field t={t} entry={entries.holder} error={errors.holder} value={entered?.holder} />
    </>
  );
}

export function ErrorSummary({ t, errors }: { t: PayerTexts; errors: CardErrors }) {
  const wrong = Object.entries(errors);
  if (wrong.length === 0) return null;
  return (
    <div className="alert" role="alert">
      <h2>{t.fields.check}</h2>
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
