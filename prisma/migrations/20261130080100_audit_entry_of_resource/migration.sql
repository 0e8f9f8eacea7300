-- By hand. Settings have the same id in each business, so the index begins with the business. Locks the audit log until it is built.
CREATE INDEX audit_entry_of_resource ON audit_entry (business_id, resource_id, created_at, id) WHERE resource_id IS NOT NULL;
