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

-- An index is made anew only if one of its rows has other letters than ASCII: the others are right as they are. A session that has
-- planned with an index remembers its definition with the old function inlined. So an index is dropped and created, because REINDEX
-- in such a session, which this one may be, would use the old function; and the others are changed, so that all sessions read them again.
-- Requests for these tables wait until the commit. They are locked at once, so that none of them waits in the middle for another.
LOCK TABLE payment_link, payment, tokenization, subscription, customer IN ACCESS EXCLUSIVE MODE;
DO $$
DECLARE
  searched record;
  differs boolean;
  definition text;
BEGIN
  FOR searched IN
    SELECT table_name, table_name || suffix AS index_name, words, indexed
      FROM (VALUES
        ('payment_link', 'title || email || coalesce(reference, '''') || coalesce(reference_2, '''') || coalesce(description, '''')'),
        ('payment', 'coalesce(link_words, '''') || coalesce(card_brand, '''') || coalesce(gateway_ref, '''') || coalesce(reference, '''')'),
        ('tokenization', 'title || email || coalesce(card_brand, '''')'),
        ('subscription', 'email || coalesce(phone_no, '''')'),
        ('customer', 'email || coalesce(name, '''')')
      ) AS tables(table_name, own_words),
      LATERAL (VALUES
        ('_search', own_words, 'true'),
        ('_annotation_words', 'annotation_text(metadata, notes)', '(metadata <> ''{}'' OR notes IS NOT NULL)')
      ) AS indexes(suffix, words, indexed) LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE %s AND octet_length(%3$s) <> length(%3$s))',
                   searched.table_name, searched.indexed, searched.words) INTO differs;
    IF differs THEN
      definition := pg_get_indexdef(searched.index_name::regclass);
      EXECUTE format('DROP INDEX %I', searched.index_name);
      EXECUTE definition;
    ELSE
      EXECUTE format('ALTER INDEX %I SET (fastupdate = off)', searched.index_name);
    END IF;
  END LOOP;
END
$$;
