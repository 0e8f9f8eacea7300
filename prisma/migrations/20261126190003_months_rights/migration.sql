-- The tables by month get the rights that theirs of before had: processes of the release before use them until the new ones have
-- granted theirs. Without rights on the first partition, these are granted already.
DO $$
DECLARE
  parent record;
  entry record;
BEGIN
  FOR parent IN SELECT inhparent::regclass AS name, inhrelid AS first FROM pg_inherits
                 WHERE inhparent IN ('api_request'::regclass, 'webhook_attempt'::regclass, 'email'::regclass) LOOP
    FOR entry IN SELECT privilege_type AS privilege, grantee FROM pg_class, aclexplode(relacl) WHERE oid = parent.first
                 UNION ALL
                 SELECT format('%s (%I)', privilege_type, attname), grantee
                   FROM pg_attribute, aclexplode(attacl) WHERE attrelid = parent.first LOOP
      EXECUTE format('GRANT %s ON %s TO %s', entry.privilege, parent.name,
                     CASE entry.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(entry.grantee)) END);
    END LOOP;
  END LOOP;
END $$;
