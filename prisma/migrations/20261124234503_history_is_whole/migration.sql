-- As the audit log: history cannot be emptied, not even by the owner's TRUNCATE ... CASCADE of another table.
CREATE TRIGGER posting_is_whole BEFORE TRUNCATE ON posting FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER event_is_whole BEFORE TRUNCATE ON event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER dispute_movement_is_whole BEFORE TRUNCATE ON dispute_movement FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
