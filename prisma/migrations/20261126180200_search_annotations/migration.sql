-- By hand: lists find the words of metadata's values and of notes.
CREATE FUNCTION annotation_text(metadata jsonb, notes text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce((SELECT string_agg(value, ' ' ORDER BY key) FROM jsonb_each_text(metadata)), '') || ' ' || coalesce(notes, '')
$$;

-- An index beside the one of the other words: rows without metadata and notes, which are most, have no entry in it, and need not be
-- indexed again. Making it reads its table once and blocks the table's writes until the commit.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['payment_link', 'payment', 'subscription', 'tokenization', 'customer'] LOOP
    EXECUTE format($sql$CREATE INDEX %1$s_annotation_words ON %1$I USING gin (search_words(
      search_scope(business_id, livemode, (created_at AT TIME ZONE 'UTC')::date), annotation_text(metadata, notes)))
      WITH (fastupdate = off) WHERE metadata <> '{}' OR notes IS NOT NULL$sql$, name);
  END LOOP;
END
$$;
