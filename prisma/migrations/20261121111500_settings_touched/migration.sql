-- The test clock's ticking is no change of the settings: whoever edits them must not be told that somebody else did.
DROP TRIGGER touch_updated_at ON business;
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON business FOR EACH ROW
  WHEN (to_jsonb(OLD) - '{test_clock_ahead,test_clock_target}'::text[]
        IS DISTINCT FROM to_jsonb(NEW) - '{test_clock_ahead,test_clock_target}'::text[])
  EXECUTE FUNCTION touch_updated_at();
