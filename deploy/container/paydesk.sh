#!/bin/sh
# What the image runs: paydesk web, paydesk worker, or a command such as paydesk doctor --json.
# The program replaces this shell, so that it gets the container's signals. Options of Node: as in package.json.
set -eu
# Its default folder is in /tmp, which ends with the container.
case " $* " in
  *" --to"* | *" --help "*) ;;
  " backup "*)
    echo "backup needs --to here. For an encrypted backup in the volume: docker compose -f deploy/compose.yaml run --rm backup" >&2
    exit 2
    ;;
esac
cd /app
case "${1:-}" in
  web | worker)
    export MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
    exec node --max-semi-space-size=4 --max-old-space-size=256 --no-allocation-site-pretenuring --v8-pool-size=2 --wasm-tiering-budget=100000000 dist/main.mjs "$1"
    ;;
esac
command="dist/command-${1:-}.mjs"
if [ ! -f "$command" ]; then
  echo "Usage: paydesk web | worker | doctor | books | api-key | gateway | reset-password | ..." >&2
  exit 2
fi
shift
exec node "$command" "$@"
