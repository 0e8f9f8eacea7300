-- By hand. Words are found without their accents: "muller" finds "Müller", "strasse" finds "Straße". lib/core/fold-text.ts does the same
-- to what people type. A function of its own would not be found by a restore, which makes indexes with an empty search_path.
CREATE OR REPLACE FUNCTION search_words(scope text, words text) RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_tsvector('simple'::regconfig, regexp_replace(
    ' ' || normalize(regexp_replace(normalize(
      translate(replace(replace(replace(replace(lower(words), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđðı', 'olddi'),
      NFD), '[\u0300-\u036f]', '', 'g'), NFC),
    '[^[:alnum:]]+', ' ' || scope, 'g'))
$$;

-- An index is made anew only if a row has other letters than ASCII, because that blocks the table's writes until the commit. The others
-- are right as they are, but sessions that have used them would compare with the old function until the index's definition is read again.
DO $$
DECLARE
  searched record;
  differs boolean;
BEGIN
  FOR searched IN
    SELECT table_name, table_name || suffix AS index_name, words
      FROM (VALUES
        ('payment_link', 'title || email || coalesce(reference, '''') || coalesce(reference_2, '''') || coalesce(description, '''')'),
        ('payment', 'coalesce(link_words, '''') || coalesce(card_brand, '''') || coalesce(gateway_ref, '''') || coalesce(reference, '''')'),
        ('tokenization', 'title || email || coalesce(card_brand, '''')'),
        ('subscription', 'email || coalesce(phone_no, '''')'),
        ('customer', 'email || coalesce(name, '''')')
      ) AS tables(table_name, own_words),
      LATERAL (VALUES ('_search', own_words), ('_annotation_words', 'annotation_text(metadata, notes)')) AS indexes(suffix, words) LOOP
    EXECUTE format('LOCK TABLE %I IN SHARE MODE', searched.table_name);
    EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE octet_length(%2$s) <> length(%2$s))', searched.table_name, searched.words)
      INTO differs;
    IF differs THEN
      EXECUTE format('REINDEX INDEX %I', searched.index_name);
    ELSE
      EXECUTE format('ALTER INDEX %I SET (fastupdate = off)', searched.index_name);
    END IF;
  END LOOP;
END
$$;
