-- By hand. Node knows time zones that PostgreSQL does not, such as AET, or takes for others, such as IST. Reports of such a business
-- fail or have other days. Each gets the zone that Node takes it for, so charges stay at their times.
-- Other names stay. Reads subscription once. That blocks no writers: only rows with such a zone are locked.
WITH known AS MATERIALIZED (
  SELECT lower(name) AS name FROM pg_timezone_names
), renamed (former, timezone) AS (VALUES
  ('act', 'Australia/Darwin'),
  ('aet', 'Australia/Sydney'),
  ('agt', 'America/Argentina/Buenos_Aires'),
  ('art', 'Africa/Cairo'),
  ('ast', 'America/Anchorage'),
  ('bet', 'America/Sao_Paulo'),
  ('bst', 'Asia/Dhaka'),
  ('cat', 'Africa/Harare'),
  ('cnt', 'America/St_Johns'),
  ('cst', 'America/Chicago'),
  ('ctt', 'Asia/Shanghai'),
  ('eat', 'Africa/Nairobi'),
  ('ect', 'Europe/Paris'),
  ('iet', 'America/Indiana/Indianapolis'),
  ('ist', 'Asia/Kolkata'),
  ('jst', 'Asia/Tokyo'),
  ('mit', 'Pacific/Apia'),
  ('net', 'Asia/Yerevan'),
  ('nst', 'Pacific/Auckland'),
  ('plt', 'Asia/Karachi'),
  ('pnt', 'America/Phoenix'),
  ('prt', 'America/Puerto_Rico'),
  ('pst', 'America/Los_Angeles'),
  ('sst', 'Pacific/Guadalcanal'),
  ('vst', 'Asia/Ho_Chi_Minh'),
  ('canada/east-saskatchewan', 'America/Regina'),
  ('us/pacific-new', 'America/Los_Angeles'),
  ('systemv/ast4', 'America/Puerto_Rico'),
  ('systemv/ast4adt', 'America/Halifax'),
  ('systemv/cst6', 'America/Regina'),
  ('systemv/cst6cdt', 'America/Chicago'),
  ('systemv/est5', 'America/Panama'),
  ('systemv/est5edt', 'America/New_York'),
  ('systemv/hst10', 'Pacific/Honolulu'),
  ('systemv/mst7', 'America/Phoenix'),
  ('systemv/mst7mdt', 'America/Denver'),
  ('systemv/pst8', 'Pacific/Pitcairn'),
  ('systemv/pst8pdt', 'America/Los_Angeles'),
  ('systemv/yst9', 'Pacific/Gambier'),
  ('systemv/yst9ydt', 'America/Anchorage')
), unknown AS MATERIALIZED (
  SELECT former, timezone FROM renamed WHERE former NOT IN (SELECT name FROM known)
), businesses AS (
  UPDATE business SET timezone = u.timezone FROM unknown u WHERE lower(business.timezone) = u.former
)
UPDATE subscription SET timezone = u.timezone FROM unknown u WHERE lower(subscription.timezone) = u.former;
