#!/bin/sh
# wirebird, the command of the image. Without an argument, everything runs in this container.
set -eu
cd /app
case "${1:-}" in
  '')
    # Docker and podman kill a container 10 s after they ask it to stop: everything has ended by then.
    export DRAIN_SECONDS="${DRAIN_SECONDS:-3}"
    exec node server/start/main.ts ;;
  web | worker)
    exec node --max-semi-space-size=16 server/start/main.ts --only "$1" ;;
  sandbox)
    exec node --max-semi-space-size=4 server/start/main.ts --only sandbox ;;
  cli)
    shift
    exec node server/cli/main.ts "$@" ;;
  *)
    echo "There is no command \"$1\". Give none to run everything in one container, or web, worker, sandbox or cli." >&2
    exit 2 ;;
esac
