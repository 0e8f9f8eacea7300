-- The table of each becomes the first partition of a partitioned one, which takes over its name, columns, rules and indexes. No row
-- is read or written: the partition's bound and its indexes are there. The last partition has no upper bound, so that no row is
-- ever refused; server/partitions.ts puts months before it.
CREATE OR REPLACE FUNCTION pg_temp.by_month(name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  bound record;
  first text;
  entry record;
  definitions text[];
BEGIN
  SELECT substr(conname, 8) AS month, substring(pg_get_constraintdef(oid) FROM '''([^'']+)''') AS id, conname INTO STRICT bound
    FROM pg_constraint WHERE conrelid = name::regclass AND conname LIKE 'before\_%';
  first := name || '_to_' || bound.month;
  SELECT array_agg(pg_get_indexdef(indexrelid)) INTO definitions FROM pg_index WHERE indrelid = name::regclass AND NOT indisprimary;
  FOR entry IN SELECT indexrelid::regclass AS index, row_number() OVER (ORDER BY indexrelid) AS n
                 FROM pg_index WHERE indrelid = name::regclass LOOP
    EXECUTE format('ALTER INDEX %s RENAME TO %I', entry.index, first || '_' || entry.n);
  END LOOP;
  EXECUTE format('ALTER TABLE %I RENAME TO %I', name, first);
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (id)', name, first);
  EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', name, bound.conname);
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', name, first, bound.id);
  EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', first, bound.conname);
  EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I PRIMARY KEY (id)', name, name || '_pkey');
  FOR n IN 1..array_length(definitions, 1) LOOP
    EXECUTE definitions[n];
  END LOOP;
  FOR entry IN SELECT conname, pg_get_constraintdef(oid) AS definition
                 FROM pg_constraint WHERE conrelid = first::regclass AND contype = 'f' LOOP
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I %s', name, entry.conname, entry.definition);
  END LOOP;
  EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (MAXVALUE)', name || '_later', name, bound.id);
END $$;

SELECT pg_temp.by_month('api_request'), pg_temp.by_month('webhook_attempt'), pg_temp.by_month('email');
