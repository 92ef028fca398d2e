# A stand-in for postgres:18-bookworm: the embedded PostgreSQL, with that image's variables, volume and port.
FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client tzdata \
 && useradd --system postgres && install -d -o postgres /var/lib/postgresql /var/run/postgresql
COPY native /usr/local
COPY postgres.sh /
VOLUME /var/lib/postgresql
STOPSIGNAL SIGINT
ENTRYPOINT ["/postgres.sh"]
