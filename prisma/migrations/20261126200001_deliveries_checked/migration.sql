-- Reads the table once, while deliveries go on. So the next migration need not read it under its lock.
DO $$
DECLARE
  bound text;
BEGIN
  SELECT conname INTO STRICT bound FROM pg_constraint WHERE conrelid = 'webhook_delivery'::regclass AND conname LIKE 'before\_%';
  EXECUTE format('ALTER TABLE webhook_delivery VALIDATE CONSTRAINT %I, VALIDATE CONSTRAINT webhook_delivery_of_event', bound);
END $$;
