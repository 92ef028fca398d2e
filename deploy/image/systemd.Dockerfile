# A machine for `npm run try:systemd`: Debian whose process 1 is systemd, with what docs/install/systemd.md installs
# by apt, and Node and npm from the base. It clones the page's repository from /srv/wirebird.git.
FROM node:24-bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends systemd systemd-sysv dbus git openssl chromium-headless-shell postgresql \
 && git config --system url./srv/wirebird.git.insteadOf https://YOUR-GIT-HOST/wirebird.git \
 && git config --system safe.directory '*'
STOPSIGNAL SIGRTMIN+3
CMD ["/sbin/init"]
