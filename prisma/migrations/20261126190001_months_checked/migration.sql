-- Reads the tables once, while requests go on. So the next migration need not read them under its lock.
DO $$
DECLARE
  bound record;
BEGIN
  FOR bound IN SELECT conrelid::regclass AS name, conname FROM pg_constraint
                WHERE conrelid IN ('api_request'::regclass, 'webhook_attempt'::regclass, 'email'::regclass) AND conname LIKE 'before\_%' LOOP
    EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT %I', bound.name, bound.conname);
  END LOOP;
END $$;
