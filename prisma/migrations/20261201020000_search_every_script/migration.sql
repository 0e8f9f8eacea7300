-- By hand. A text of any script is found by its own words, and Greek words in capitals, whose last sigma has another small letter.
-- Words end at the listed signs: what [[:alnum:]] was depended on the database's locale, and JavaScript's letters differ from it.
-- lib/core/fold-text.ts does the same to what people type.
DO $$
BEGIN
  EXECUTE regexp_replace(
    pg_get_functiondef('search_words(text, text)'::regprocedure), 'FUNCTION \S+\(', 'FUNCTION pg_temp.former_words(');
END
$$;

CREATE OR REPLACE FUNCTION search_words(scope text, words text) RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_tsvector('simple'::regconfig, regexp_replace(
    ' ' || normalize(regexp_replace(
      translate(replace(replace(replace(replace(lower(normalize(words, NFKD)), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđðıħŧς', 'olddihtσ'),
      '[\u0300-\u036f\ufe00-\ufe0f]', '', 'g'), NFC),
    '[\u0001-/:-@[-`{-¿×÷\u05be\u060c\u061b\u061f\u06d4\u0964\u0965\u2000-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u30fb\ufffd\U0001f000-\U0001faff]+',
    ' ' || scope, 'g'))
$$;

-- An index is built anew only if one of its rows has other words now, which those in ASCII never have. A session that has planned with
-- an index remembers its definition with the former function inlined. So an index is dropped and created, because REINDEX in such a
-- session, which this one may be, would use the former function; and the others are changed, so that all sessions read them again.
-- Requests for these tables wait until the commit. All five are locked first, so that the migration and a request do not wait for each other.
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
        ('payment_link', 'concat_ws('' '', title, email, reference, reference_2, description)'),
        ('payment', 'concat_ws('' '', link_words, card_brand, gateway_ref, reference)'),
        ('tokenization', 'concat_ws('' '', title, email, card_brand)'),
        ('subscription', 'concat_ws('' '', email, phone_no)'),
        ('customer', 'concat_ws('' '', email, name)')
      ) AS tables(table_name, own_words),
      LATERAL (VALUES
        ('_search', own_words, 'true'),
        ('_annotation_words', 'annotation_text(metadata, notes)', '(metadata <> ''{}'' OR notes IS NOT NULL)')
      ) AS indexes(suffix, words, indexed) LOOP
    EXECUTE format(
      'SELECT EXISTS (SELECT FROM %I WHERE %s AND octet_length(%3$s) <> length(%3$s)
                        AND pg_temp.former_words('''', %3$s) <> search_words('''', %3$s))',
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
