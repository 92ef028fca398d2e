#!/bin/sh
# The start of the stand-in for postgres:18-bookworm.
set -eu
data=/var/lib/postgresql/18/docker
if [ "$(id -u)" = 0 ]; then
  chown postgres /var/lib/postgresql
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0"
fi
if [ ! -f $data/finished ]; then
  echo "$POSTGRES_PASSWORD" >/tmp/password
  mkdir -p $data
  initdb -D $data -U "$POSTGRES_USER" --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256 -E UTF8
  echo 'host all all all scram-sha-256' >>$data/pg_hba.conf
  echo "create database \"$POSTGRES_DB\"" | postgres --single -D $data postgres
  touch $data/finished
fi
exec postgres -D $data -c 'listen_addresses=*' -c unix_socket_directories=/var/run/postgresql
