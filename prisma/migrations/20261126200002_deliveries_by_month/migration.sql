-- The table becomes the first partition of a partitioned one, as those of the migration 20261126190002_months. No row is read or written.
-- Its unique index of endpoint and event stays on this partition alone. Statements lock these tables in this order, or one of them alone.
LOCK TABLE event, webhook_endpoint IN SHARE ROW EXCLUSIVE MODE;
LOCK TABLE webhook_delivery, webhook_attempt IN ACCESS EXCLUSIVE MODE;

-- An attempt outlives the month of its delivery. With the key, dropping a month of deliveries would read all attempts.
ALTER TABLE webhook_attempt DROP CONSTRAINT webhook_attempt_delivery_id_fkey;

DO $$
DECLARE
  bound record;
  first text;
  entry record;
  indexes text[];
  triggers text[];
BEGIN
  SELECT substr(conname, 8) AS month, substring(pg_get_constraintdef(oid) FROM '''([^'']+)''') AS id, conname INTO STRICT bound
    FROM pg_constraint WHERE conrelid = 'webhook_delivery'::regclass AND conname LIKE 'before\_%';
  first := 'webhook_delivery_to_' || bound.month;
  ALTER INDEX webhook_delivery_endpoint_id_event_id_key RENAME TO webhook_delivery_unique;
  SELECT array_agg(pg_get_indexdef(indexrelid)) INTO indexes
    FROM pg_index WHERE indrelid = 'webhook_delivery'::regclass AND NOT indisunique;
  SELECT array_agg(pg_get_triggerdef(oid)) INTO triggers
    FROM pg_trigger WHERE tgrelid = 'webhook_delivery'::regclass AND NOT tgisinternal;
  FOR entry IN SELECT indexrelid::regclass AS index, row_number() OVER (ORDER BY indexrelid) AS n
                 FROM pg_index WHERE indrelid = 'webhook_delivery'::regclass AND indexrelid <> 'webhook_delivery_unique'::regclass LOOP
    EXECUTE format('ALTER INDEX %s RENAME TO %I', entry.index, first || '_' || entry.n);
  END LOOP;
  EXECUTE format('ALTER INDEX webhook_delivery_unique RENAME TO %I', first || '_of_event');
  FOR entry IN SELECT tgname FROM pg_trigger WHERE tgrelid = 'webhook_delivery'::regclass AND NOT tgisinternal LOOP
    EXECUTE format('DROP TRIGGER %I ON webhook_delivery', entry.tgname);
  END LOOP;
  EXECUTE format('ALTER TABLE webhook_delivery RENAME TO %I', first);
  EXECUTE format('CREATE TABLE webhook_delivery (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (id)', first);
  FOR entry IN SELECT privilege_type AS privilege, grantee FROM pg_class, aclexplode(relacl) WHERE oid = first::regclass
               UNION ALL
               SELECT format('%s (%I)', privilege_type, attname), grantee
                 FROM pg_attribute, aclexplode(attacl) WHERE attrelid = first::regclass LOOP
    EXECUTE format('GRANT %s ON webhook_delivery TO %s', entry.privilege,
                   CASE entry.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(entry.grantee)) END);
  END LOOP;
  EXECUTE format('ALTER TABLE webhook_delivery DROP CONSTRAINT %I', bound.conname);
  EXECUTE format('ALTER TABLE webhook_delivery ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', first, bound.id);
  EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', first, bound.conname);
  ALTER TABLE webhook_delivery ADD CONSTRAINT webhook_delivery_pkey PRIMARY KEY (id);
  FOR n IN 1..array_length(indexes, 1) LOOP
    EXECUTE indexes[n];
  END LOOP;
  FOR entry IN SELECT conname, pg_get_constraintdef(oid) AS definition
                 FROM pg_constraint WHERE conrelid = first::regclass AND contype = 'f' LOOP
    EXECUTE format('ALTER TABLE webhook_delivery ADD CONSTRAINT %I %s', entry.conname, entry.definition);
  END LOOP;
  FOR n IN 1..array_length(triggers, 1) LOOP
    EXECUTE triggers[n];
  END LOOP;
  EXECUTE format('CREATE TABLE webhook_delivery_later PARTITION OF webhook_delivery FOR VALUES FROM (%L) TO (MAXVALUE)', bound.id);
END $$;
