-- By hand. Until now, updated_at moved with every change, also of columns that the API does not show: times of lookups, what the import
-- of balances and the closing of failed charges note, the gateway's open page, the period of the last notice. A new column counts as shown.
-- The rows as jsonb are compared only if one of these columns changes.
DO $$
DECLARE
  internal record;
BEGIN
  FOR internal IN
    SELECT name, names, 'ROW(OLD.' || array_to_string(names, ', OLD.') || ')' AS old_row,
           'ROW(NEW.' || array_to_string(names, ', NEW.') || ')' AS new_row
      FROM (VALUES ('payment', '{asked_at,unbooked_since,closed_at}'::text[]),
                   ('refund', '{asked_at}'),
                   ('tokenization', '{setup_asked_at,setup_ref,gateway,gateway_account_id}'),
                   ('subscription', '{noticed_period}')) AS listed(name, names) LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER touch_updated_at BEFORE UPDATE ON %1$I FOR EACH ROW
      WHEN (OLD.* IS DISTINCT FROM NEW.*
            AND (%2$s IS NOT DISTINCT FROM %3$s
                 OR to_jsonb(OLD) - %4$L::text[] IS DISTINCT FROM to_jsonb(NEW) - %4$L::text[]))
      EXECUTE FUNCTION touch_in_business_time()', internal.name, internal.old_row, internal.new_row, internal.names);
  END LOOP;
END
$$;
