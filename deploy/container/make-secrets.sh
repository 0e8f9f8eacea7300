#!/bin/sh
# Writes the secrets of deploy/compose.yaml into deploy/container/secrets, and begins deploy/.env. Keeps those that exist.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets tls
# SMTP_URL holds a password. Quotes keep a $ in it.
[ -e ../.env ] || (umask 077 && cat > ../.env) <<'EOF'
# Settings of all containers: docs/configuration.md
# APP_URL=https://pay.example.com
# MAIL_FROM=desk@pay.example.com
# SMTP_URL='smtps://user:password@mail.example.com'
EOF
# Only this user enters the folder. The containers' users read the files, each of which is mounted by itself.
chmod 0700 secrets
cd secrets
secret() { [ -s "$1" ] || openssl rand -hex 32 > "$1"; }
for name in app_secret backup_passphrase postgres_password owner_password application_password; do secret "$name"; done
rm -f database_url database_migrate_url # read-only
address() { printf 'postgresql://%s:%s@postgres:5432/paydesk\n' "$1" "$(cat "$2")"; }
address paydesk_app application_password > database_url
address paydesk owner_password > database_migrate_url
chmod 0444 ./*
echo "Keep copies of app_secret and backup_passphrase of deploy/container/secrets apart from the backups: a restore needs both."
