# A stand-in for caddy:2: Debian's Caddy, with that image's directories.
FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends caddy ca-certificates
ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
