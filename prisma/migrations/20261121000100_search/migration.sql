-- Free text (the lists' q parameter): words, by prefix. The expressions must equal those in the services to the letter,
-- or the planner does not use the index.
CREATE INDEX payment_link_search ON payment_link USING gin (
  to_tsvector('simple', regexp_replace(lower(title || ' ' || email || ' ' || coalesce(reference, '') ||
 ' ' || coalesce(reference_2, '') || ' ' || coalesce(description, '')), '[^[:alnum:]]+', ' ', 'g')));

CREATE INDEX tokenization_search ON tokenization USING gin (
  to_tsvector('simple', regexp_replace(lower(title || ' ' || email), '[^[:alnum:]]+', ' ', 'g')));

CREATE INDEX package_search ON package USING gin (
  to_tsvector('simple', regexp_replace(lower(name || ' ' || coalesce(description, '')), '[^[:alnum:]]+', ' ', 'g')));

CREATE INDEX subscription_search ON subscription USING gin (
  to_tsvector('simple', regexp_replace(lower(email || ' ' || coalesce(phone_no, '')), '[^[:alnum:]]+', ' ', 'g')));
