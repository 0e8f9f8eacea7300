#!/bin/sh
# Runs a command with the settings and secrets of the services, as root: deploy/systemd/paydesk.sh doctor --json
set -eu
# Its default folder is in /tmp, which the next boot empties.
case " $* " in
  *" --to"* | *" --help "*) ;;
  " backup "*)
    echo "backup needs --to here. For an encrypted backup in /var/lib/paydesk-backups: systemctl start paydesk-backup" >&2
    exit 2
    ;;
esac
if [ ! -f "/opt/paydesk/dist/command-${1:-}.mjs" ]; then
  echo "Usage: paydesk.sh doctor | books | api-key | gateway | reset-password | ..." >&2
  exit 2
fi
# For encrypted backups, if there is one.
passphrase=/etc/paydesk/secrets/backup-passphrase
[ -f "$passphrase" ] && credential="--property=LoadCredential=backup-passphrase:$passphrase" || credential=
# shellcheck disable=SC2086 # without a passphrase, no argument
exec systemd-run --quiet --pipe --wait --collect --uid=paydesk --working-directory=/opt/paydesk \
  --property=EnvironmentFile=/etc/paydesk/paydesk.env --setenv=NODE_ENV=production --setenv=DATA_DIR=/tmp --setenv=HOST=localhost \
  --property=LoadCredential=app-secret:/etc/paydesk/secrets/app-secret \
  --property=LoadCredential=database-url:/etc/paydesk/secrets/database-url \
  --property=LoadCredential=database-migrate-url:/etc/paydesk/secrets/database-migrate-url \
  $credential \
  /bin/sh -c '
    export APP_SECRET_FILE="$CREDENTIALS_DIRECTORY/app-secret"
    export DATABASE_URL_FILE="$CREDENTIALS_DIRECTORY/database-url"
    export DATABASE_MIGRATE_URL_FILE="$CREDENTIALS_DIRECTORY/database-migrate-url"
    [ ! -f "$CREDENTIALS_DIRECTORY/backup-passphrase" ] || export BACKUP_PASSPHRASE_FILE="$CREDENTIALS_DIRECTORY/backup-passphrase"
    command=$1
    shift
    exec /usr/bin/node "dist/command-$command.mjs" "$@"' paydesk "$@"
