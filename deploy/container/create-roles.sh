#!/bin/sh
# Runs once in an empty PostgreSQL of deploy/compose.yaml: two roles, as docs/operations.md has them.
set -eu
psql --set=ON_ERROR_STOP=1 --username="${POSTGRES_USER:-postgres}" --dbname=postgres \
  --set=owner="$(cat /run/secrets/owner_password)" \
  --set=application="$(cat /run/secrets/application_password)" <<'SQL'
CREATE ROLE paydesk LOGIN PASSWORD :'owner';
CREATE ROLE paydesk_app LOGIN PASSWORD :'application';
CREATE DATABASE paydesk OWNER paydesk;
SQL
